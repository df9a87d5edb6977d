import { Box, Flex, Grid, Stack } from '@chakra-ui/react';
import { CircleCheck, CircleX } from 'lucide-react';
import type {
  ExplainAvailabilityResponse,
  ExplainedItem,
} from '../gen/frontdesk/scheduling/v1/availability_pb';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import { moment, timeSpan } from '../time/zoned';
import { Badge } from '../ui/badge';
import { Card } from '../ui/card';
import { moneyText } from '../ui/money';
import { Note } from '../ui/states';
import { Figures, H3, Muted, Text } from '../ui/text';
import { type Checked, type Finding, personRules, resourceRules, visitRules } from './rules';

type AnswerProps = { businessId: string; answer: ExplainAvailabilityResponse };

/** The verdict, whose sentence names the next free time, then every rule with what was found. */
export function Answer({ businessId, answer }: AnswerProps) {
  const { offer, timeZone, sentence } = answer;
  return (
    <Stack gap="6" aria-live="polite">
      <Note tone={offer ? 'good' : 'bad'} icon={offer ? CircleCheck : CircleX}>
        <Text fontWeight="600">{offer ? 'This time is free' : 'This time can’t be booked'}</Text>
        <Text>{sentence}</Text>
        {offer && <Text>{moneyText(offer.priceMinor, offer.currency)}</Text>}
      </Note>
      <Card title="The visit as a whole">
        <Rules label="Rules of the visit" businessId={businessId} rules={visitRules(answer)} />
      </Card>
      {answer.items.map((item, index) => (
        <Item key={index} businessId={businessId} item={item} zone={timeZone} />
      ))}
    </Stack>
  );
}

function Item({ businessId, item, zone }: { businessId: string; item: ExplainedItem; zone: string }) {
  const [from, until] = [moment(item.startsAt), moment(item.endsAt)];
  return (
    <Card
      title={item.serviceName}
      action={from && until && <Figures color="fg.muted">{timeSpan(from, until, zone)}</Figures>}
    >
      {item.candidates.length === 0 && (
        <Note tone="bad" icon={CircleX}>
          No employee does this service.
        </Note>
      )}
      <Grid gap="6" gridTemplateColumns="repeat(auto-fill, minmax(min(20rem, 100%), 1fr))">
        {item.candidates.map(({ employeeId, employeeName, obstacles }) => (
          <Subject
            key={employeeId}
            businessId={businessId}
            employeeId={employeeId}
            name={employeeName}
            free={obstacles.length === 0}
            rules={personRules({ obstacles }, zone)}
          />
        ))}
        {item.needs.flatMap(({ kind, candidates }) =>
          candidates.map(({ resourceId, resourceName, obstacles }) => (
            <Subject
              key={resourceId}
              businessId={businessId}
              name={`${resourceName} (${kind})`}
              free={obstacles.length === 0}
              rules={resourceRules(obstacles, zone)}
            />
          )),
        )}
      </Grid>
    </Card>
  );
}

type SubjectProps = {
  businessId: string;
  /** Whose hours they are; a chair or a machine has none. */
  employeeId?: string | undefined;
  name: string;
  free: boolean;
  rules: Checked[];
};

function Subject({ businessId, employeeId, name, free, rules }: SubjectProps) {
  return (
    <Stack gap="2" minWidth="0">
      <Flex align="center" gap="2" wrap="wrap">
        <H3>{name}</H3>
        <Badge tone={free ? 'good' : 'bad'}>{free ? 'Free' : 'Not free'}</Badge>
      </Flex>
      <Rules label={`Rules of ${name}`} businessId={businessId} employeeId={employeeId} rules={rules} />
    </Stack>
  );
}

type RulesProps = {
  label: string;
  businessId: string;
  employeeId?: string | undefined;
  rules: Checked[];
};

function Rules({ label, businessId, employeeId, rules }: RulesProps) {
  return (
    <Stack as="ul" gap="2" listStyleType="none" aria-label={label}>
      {rules.map(({ name, found }) => {
        const passes = found.length === 0;
        const Icon = passes ? CircleCheck : CircleX;
        return (
          <Flex as="li" key={name} gap="2.5" align="flex-start">
            <Box pt="0.5" color={passes ? 'good.fg' : 'bad.fg'} flexShrink="0">
              <Icon size={18} role="img" aria-label={passes ? 'Passes:' : 'Fails:'} />
            </Box>
            <Box minWidth="0">
              <Text fontWeight={passes ? '400' : '600'}>{name}</Text>
              {found.map((finding, index) => (
                <Muted key={index}>
                  {finding.text}{' '}
                  <RecordOf businessId={businessId} employeeId={employeeId} finding={finding} />
                </Muted>
              ))}
            </Box>
          </Flex>
        );
      })}
    </Stack>
  );
}

/** The record behind a finding: a way there where it has a page, else its id. */
function RecordOf({
  businessId,
  employeeId,
  finding,
}: Pick<RulesProps, 'businessId' | 'employeeId'> & { finding: Finding }) {
  const { record, recordId } = finding;
  if (!recordId) return null;
  if (record === 'Appointment')
    return <TextLink to={paths.appointment(businessId, recordId)}>See the appointment</TextLink>;
  if (record === 'Rule') return <TextLink to={paths.dependencies(businessId)}>See the rules</TextLink>;
  if (record === 'Time off' && employeeId)
    return <TextLink to={paths.teamMember(businessId, employeeId)}>See their time off</TextLink>;
  if (record === 'Opening exception')
    return <TextLink to={paths.details(businessId, 'hours')}>See the closures</TextLink>;
  return (
    <Figures fontSize="0.8125rem">
      {record} {recordId}
    </Figures>
  );
}
