import { Flex, Stack } from '@chakra-ui/react';
import { type FormEvent, useState } from 'react';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { dayKey } from '../time/zoned';
import { Button } from '../ui/button';
import { TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import { Refusal } from '../ui/states';
import { H3 } from '../ui/text';
import type { Person } from './columns';
import { clockOf, instantAt, isDay, minuteOfClock, minuteOn } from './local-day';
import { type Destination, placeOf, samePlace } from './move-visit';
import type { Told } from './use-moves';
import type { Catalogue } from './visit-cards';

type MoveFormProps = {
  visit: Appointment;
  zone: string;
  employees: readonly Person[];
  catalogue: Catalogue;
  onMove: (visit: Appointment, to: Destination, told: Told) => void;
  onDone: () => void;
  onLeave: () => void;
};

const STEP_MINUTES = 5;

/** What a drag does, for those who would rather say it. */
export function MoveForm({ visit, zone, employees, catalogue, onMove, onDone, onLeave }: MoveFormProps) {
  const place = placeOf(visit);
  const [day, setDay] = useState(() => dayKey(place.startsAt, zone));
  const [clock, setClock] = useState(() =>
    clockOf(minuteOn(place.startsAt, dayKey(place.startsAt, zone), zone)),
  );
  const [employeeIds, setEmployeeIds] = useState(place.employeeIds);
  const [wrong, setWrong] = useState<{ day?: string; clock?: string }>({});
  const [refused, setRefused] = useState('');
  const [running, setRunning] = useState(false);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const minute = minuteOfClock(clock);
    const faults = {
      ...(isDay(day) ? {} : { day: 'Choose a date.' }),
      ...(minute === undefined
        ? { clock: 'Enter a time.' }
        : minute % STEP_MINUTES
          ? { clock: 'Visits start on a multiple of five minutes.' }
          : {}),
    };
    setWrong(faults);
    setRefused('');
    if (Object.keys(faults).length > 0 || minute === undefined) return;
    const to = { startsAt: instantAt(day, minute, zone), employeeIds };
    if (samePlace(to, place)) return onLeave();
    setRunning(true);
    onMove(visit, to, {
      onDone,
      onRefused: (reason) => {
        setRunning(false);
        setRefused(reason);
      },
    });
  };

  return (
    <Stack as="form" aria-label="Move" gap="4" onSubmit={submit} {...{ noValidate: true }}>
      <H3>Move to</H3>
      <Flex gap="3" wrap="wrap" css={{ '& > *': { flex: '1 1 9rem' } }}>
        <TextField
          label="Date"
          type="date"
          value={day}
          error={wrong.day}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
        <TextField
          label="Time"
          type="time"
          step={STEP_MINUTES * 60}
          value={clock}
          error={wrong.clock}
          onChange={(event) => setClock(event.currentTarget.value)}
        />
      </Flex>
      {visit.items.map((item, index) => (
        <SelectField
          key={`${item.serviceId}-${index}`}
          label={`${item.serviceName} with`}
          value={employeeIds[index] ?? ''}
          onChange={(event) => setEmployeeIds(employeeIds.with(index, event.currentTarget.value))}
        >
          <option value="">Anyone who can</option>
          {able(employees, catalogue, item.serviceId, item.employeeId).map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      ))}
      <Refusal>{refused}</Refusal>
      <Flex gap="2" wrap="wrap">
        <Button type="submit" variant="contained" loading={running}>
          Move
        </Button>
        <Button minHeight="12" disabled={running} onClick={onLeave}>
          Not now
        </Button>
      </Flex>
    </Stack>
  );
}

/** Who does a service, and who does it now. */
function able(employees: readonly Person[], catalogue: Catalogue, serviceId: string, now: string): Person[] {
  const service = catalogue.get(serviceId);
  return employees.filter(({ id }) => id === now || !service || service.employeeIds.includes(id));
}
