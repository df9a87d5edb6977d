import { Box, Flex, Stack } from '@chakra-ui/react';
import { type FormEvent, useState } from 'react';
import type { Person } from '../day/columns';
import { type Destination, placeOf, STEP_MINUTES, samePlace, type Told } from '../day/move-visit';
import { usualMinutes } from '../day/segments';
import type { Catalogue } from '../day/visit-cards';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { clockOf, instantOf } from '../time/local';
import { isDay, minuteOfClock, minuteOn } from '../time/local-day';
import { dayKey } from '../time/zoned';
import { Button } from '../ui/button';
import { TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import { Refusal } from '../ui/states';
import { H3 } from '../ui/text';

type MoveFormProps = {
  visit: Appointment;
  zone: string;
  employees: readonly Person[];
  catalogue: Catalogue;
  onMove: (visit: Appointment, to: Destination, told: Told) => void;
  onDone: () => void;
  onLeave: () => void;
};

/** Moves a visit by form instead of by drag. */
export function MoveForm({ visit, zone, employees, catalogue, onMove, onDone, onLeave }: MoveFormProps) {
  const place = placeOf(visit);
  const [day, setDay] = useState(() => dayKey(place.startsAt, zone));
  const [clock, setClock] = useState(() =>
    clockOf(minuteOn(place.startsAt, dayKey(place.startsAt, zone), zone)),
  );
  const [employeeIds, setEmployeeIds] = useState(place.employeeIds);
  const [lengths, setLengths] = useState<Record<number, string>>({});
  const [wrong, setWrong] = useState<{ day?: string; clock?: string; lengths?: Record<number, string> }>({});
  const [refused, setRefused] = useState('');
  const [running, setRunning] = useState(false);

  /** How long a service takes those who are chosen for it, in minutes, by itself. */
  const plain = (index: number): number => {
    const { serviceId = '' } = visit.items[index] ?? {};
    const service = catalogue.get(serviceId);
    return service ? usualMinutes(service, employeeIds[index] ?? '') : 0;
  };
  const extra = (index: number) => place.extraMinutes[index] ?? 0;
  const lengthOf = (index: number) => lengths[index] ?? String(plain(index) + extra(index));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const minute = minuteOfClock(clock);
    const tooOdd = Object.keys(lengths).filter((index) => !isLength(lengths[Number(index)]));
    const faults = {
      ...(tooOdd.length > 0
        ? { lengths: Object.fromEntries(tooOdd.map((index) => [index, 'A multiple of five.'])) }
        : {}),
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
    const extraMinutes = visit.items.map((_, index) =>
      lengths[index] === undefined ? extra(index) : Number(lengths[index]) - plain(index),
    );
    const to = { startsAt: instantOf(day, minute, zone), employeeIds, extraMinutes };
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
        <Flex key={`${item.serviceId}-${index}`} gap="3" wrap="wrap" align="flex-start">
          <Box flex="1 1 12rem">
            <SelectField
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
          </Box>
          {catalogue.has(item.serviceId) && (
            <Box flex="0 1 7rem">
              <TextField
                label="Minutes"
                aria-label={`Minutes of ${item.serviceName}`}
                type="number"
                min={STEP_MINUTES}
                step={STEP_MINUTES}
                value={lengthOf(index)}
                error={wrong.lengths?.[index]}
                onChange={(event) => setLengths({ ...lengths, [index]: event.currentTarget.value })}
              />
            </Box>
          )}
        </Flex>
      ))}
      <Refusal>{refused}</Refusal>
      <Flex gap="2" wrap="wrap">
        <Button type="submit" variant="contained" loading={running}>
          Move
        </Button>
        <Button minHeight="12" disabled={running} onClick={onLeave}>
          Cancel
        </Button>
      </Flex>
    </Stack>
  );
}

const isLength = (text = '') => /^\d+$/.test(text) && Number(text) > 0 && Number(text) % STEP_MINUTES === 0;

/** Who does a service, and who does it now. */
function able(employees: readonly Person[], catalogue: Catalogue, serviceId: string, now: string): Person[] {
  const service = catalogue.get(serviceId);
  return employees.filter(({ id }) => id === now || !service || service.employeeIds.includes(id));
}
