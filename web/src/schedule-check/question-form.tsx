import { chakra, Grid, Stack } from '@chakra-ui/react';
import { Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { zoneCity } from '../time/zoned';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import { instantOf, localText } from './instant';
import { MOST_ITEMS, type Question } from './question';

const STEP_SECONDS = 300;
const STEP_MS = STEP_SECONDS * 1000;

type QuestionFormProps = {
  before: Question;
  services: Service[];
  people: Employee[];
  zone: string;
  checking: boolean;
  onAsk: (question: Question) => void;
};

/** Services, who shall do them, and when. */
export function QuestionForm({ before, services, people, zone, checking, onAsk }: QuestionFormProps) {
  const [items, setItems] = useState(
    before.items.length > 0 ? before.items : [{ serviceId: '', employeeId: '' }],
  );
  const [at, setAt] = useState(
    () => before.at || localText(new Date(Math.ceil(Date.now() / STEP_MS) * STEP_MS), zone),
  );
  const [tried, setTried] = useState(false);

  const problemAt = timeProblem(at, zone);
  const complete = items.every(({ serviceId }) => serviceId);
  const ask = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (complete && !problemAt) onAsk({ items, at });
  };
  const change = (index: number, part: Partial<Question['items'][number]>) =>
    setItems(items.map((item, position) => (position === index ? { ...item, ...part } : item)));

  return (
    <Card title="What to check">
      <chakra.form noValidate onSubmit={ask} aria-label="What to check">
        <Stack gap="4">
          <Stack as="ol" gap="4" listStyleType="none">
            {items.map(({ serviceId, employeeId }, index) => (
              <Grid
                as="li"
                key={index}
                gap="3"
                alignItems="end"
                gridTemplateColumns={{ base: '1fr', sm: 'minmax(0, 1fr) minmax(0, 1fr) auto' }}
              >
                <SelectField
                  label={`Service ${index + 1}`}
                  value={serviceId}
                  error={tried && !serviceId ? 'Choose a service.' : undefined}
                  onChange={(event) => change(index, { serviceId: event.target.value })}
                >
                  <option value="">Choose…</option>
                  {services.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </SelectField>
                <SelectField
                  label={`By whom (${index + 1})`}
                  value={employeeId}
                  onChange={(event) => change(index, { employeeId: event.target.value })}
                >
                  <option value="">Anyone who can</option>
                  {people.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </SelectField>
                {items.length > 1 && (
                  <Button
                    variant="quiet"
                    minHeight="12"
                    aria-label={`Remove service ${index + 1}`}
                    onClick={() => setItems(items.filter((_, position) => position !== index))}
                  >
                    <Trash2 size={18} aria-hidden />
                  </Button>
                )}
              </Grid>
            ))}
          </Stack>
          {items.length < MOST_ITEMS && (
            <Button alignSelf="start" onClick={() => setItems([...items, { serviceId: '', employeeId: '' }])}>
              <Plus size={18} aria-hidden />
              Another service
            </Button>
          )}
          <Grid gap="4" alignItems="end" gridTemplateColumns={{ base: '1fr', sm: '18rem auto' }}>
            <TextField
              label="Start"
              hint={`${zoneCity(zone)} time, in steps of five minutes.`}
              type="datetime-local"
              step={STEP_SECONDS}
              value={at}
              error={tried ? problemAt : undefined}
              onChange={(event) => setAt(event.target.value)}
            />
          </Grid>
          <Button type="submit" variant="contained" alignSelf="start" loading={checking}>
            Check this time
          </Button>
        </Stack>
      </chakra.form>
    </Card>
  );
}

function timeProblem(at: string, zone: string): string | undefined {
  const instant = instantOf(at, zone);
  if (!instant) return 'Choose a time that the salon’s clock shows.';
  return instant.getTime() % STEP_MS === 0 ? undefined : 'Choose a time in steps of five minutes.';
}
