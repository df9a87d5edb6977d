import { Box, chakra, Flex, Grid, Stack } from '@chakra-ui/react';
import { Plus, Trash2, UserPlus } from 'lucide-react';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { Button } from '../ui/button';
import { Choice } from '../ui/choice';
import { SelectField } from '../ui/select-field';
import {
  ANYONE,
  addGuest,
  addWish,
  changeWish,
  type Draft,
  type Hands,
  handsMatter,
  MOST_GUESTS,
  MOST_SERVICES,
  removeGuest,
  removeWish,
  type Wish,
} from './draft';
import { LengthField } from './length-field';
import { ServiceOptions } from './service-options';

type ServicesPartProps = {
  draft: Draft;
  services: Service[];
  employees: Employee[];
  /** Alone: no guests beside the first. */
  alone?: boolean;
  /** The visit has its place: who is named does it, and what the customer wishes is asked elsewhere. */
  placed?: boolean;
  /** How they are shared among employees is asked elsewhere. */
  folded?: boolean;
  onChange: (draft: Draft) => void;
};

const HANDS: readonly [Hands, string][] = [
  ['any', 'As it fits'],
  ['same', 'One person'],
  ['different', 'Different people'],
];

/** What is to be done, for whom of those who come, and by whom. */
export function ServicesPart(props: ServicesPartProps) {
  const { draft, alone = false, folded = false, onChange } = props;
  const [first = []] = draft.guests;
  return (
    <Stack gap="4">
      {draft.guests.map((wishes, guest) => (
        <Guest key={wishes[0]?.key} {...props} wishes={wishes} guest={guest} />
      ))}
      <Flex columnGap="4" wrap="wrap" ms="-3" mt="-2">
        {draft.guests.length === 1 && <AddService wishes={first} onAdd={() => onChange(addWish(draft, 0))} />}
        {!alone && (
          <Button
            variant="quiet"
            disabled={draft.guests.length >= MOST_GUESTS}
            onClick={() => onChange(addGuest(draft))}
          >
            <UserPlus size={18} aria-hidden />
            Add a guest
          </Button>
        )}
      </Flex>
      {!folded && <WhoPart {...props} />}
    </Stack>
  );
}

function AddService({ wishes, onAdd }: { wishes: Wish[]; onAdd: () => void }) {
  return (
    <Button variant="quiet" disabled={wishes.length >= MOST_SERVICES} onClick={onAdd}>
      <Plus size={18} aria-hidden />
      Add a service
    </Button>
  );
}

type WhoPartProps = Pick<ServicesPartProps, 'draft' | 'employees' | 'placed' | 'onChange'>;

/** How much the customer wants who is named, and whether one employee does all of it. */
export function WhoPart({ draft, employees, placed = false, onChange }: WhoPartProps) {
  const named = placed ? '' : namesOf(draft, employees);
  return (
    <>
      {named && (
        <Choice
          legend="Stylist"
          value={draft.stylist}
          options={[
            ['any', ANYONE],
            ['prefers', `Prefers ${named}`],
            ['only', `Only ${named}`],
          ]}
          onChange={(stylist) => onChange({ ...draft, stylist })}
        />
      )}
      {!placed && handsMatter(draft) && (
        <Choice
          legend="Who does the services"
          value={draft.hands}
          options={HANDS}
          onChange={(hands) => onChange({ ...draft, hands })}
        />
      )}
    </>
  );
}

/** "prefers Sofia Marino, one person": what is chosen of it, or nothing. */
export function whoText(draft: Draft, employees: Employee[]): string {
  const named = namesOf(draft, employees);
  const hands = handsMatter(draft) ? HANDS.find(([one]) => one === draft.hands)?.[1] : undefined;
  return [
    named && draft.stylist !== 'any' ? `${draft.stylist} ${named}` : '',
    draft.hands === 'any' ? '' : hands?.toLowerCase(),
  ]
    .filter(Boolean)
    .join(', ');
}

/** "Sofia Marino", or all who are named. */
export function namesOf({ guests }: Draft, employees: Employee[]): string {
  const ids = new Set(guests.flat().map(({ employeeId }) => employeeId));
  ids.delete('');
  const names = [...ids].map((id) => employees.find((employee) => employee.id === id)?.name ?? 'them');
  return new Intl.ListFormat('en-GB').format(names);
}

type GuestProps = ServicesPartProps & { wishes: Wish[]; guest: number };

function Guest({ draft, services, employees, wishes, guest, onChange }: GuestProps) {
  const several = draft.guests.length > 1;
  const name = `Guest ${guest + 1}`;
  return (
    <chakra.fieldset minWidth="0" aria-label={several ? name : 'Services'}>
      {several && (
        <Flex align="center" justify="space-between" pb="1">
          <chakra.span fontWeight="600">{name}</chakra.span>
          <Button variant="quiet" onClick={() => onChange(removeGuest(draft, guest))}>
            Remove {name.toLowerCase()}
          </Button>
        </Flex>
      )}
      <Stack gap="3">
        {wishes.map((wish, index) => (
          <Line
            key={wish.key}
            wish={wish}
            number={wishes.length > 1 ? ` ${index + 1}` : ''}
            services={services}
            employees={employees}
            onChange={(changed) => onChange(changeWish(draft, guest, changed, services))}
            {...(wishes.length > 1 ? { onRemove: () => onChange(removeWish(draft, guest, wish.key)) } : {})}
          />
        ))}
        {several && (
          <Flex ms="-3">
            <AddService wishes={wishes} onAdd={() => onChange(addWish(draft, guest))} />
          </Flex>
        )}
      </Stack>
    </chakra.fieldset>
  );
}

type LineProps = {
  wish: Wish;
  /** Tells several apart: " 2". */
  number: string;
  services: Service[];
  employees: Employee[];
  onChange: (wish: Wish) => void;
  onRemove?: () => void;
};

function Line({ wish, number, services, employees, onChange, onRemove }: LineProps) {
  const service = services.find(({ id }) => id === wish.serviceId);
  const able = employees.filter(({ id }) => !service || service.employeeIds.includes(id));
  // Beside the name on a phone, unless it has something to say.
  const beside = wish.extraMinutes === 0;
  const bin = onRemove ? '44px' : '';
  return (
    <Grid
      columnGap="2"
      rowGap={{ base: '3', sm: '1' }}
      alignItems="end"
      gridTemplateColumns={{
        // Names and services are read whole: on a phone they stand under each other.
        base: `minmax(0, 1fr) auto ${bin}`,
        sm: `minmax(0, 3fr) minmax(0, 2fr) ${bin}`,
      }}
    >
      <Box minWidth="0" gridColumn={{ base: onRemove ? '1 / 3' : '1 / -1', sm: 'auto' }}>
        <SelectField
          label={`Service${number}`}
          value={wish.serviceId}
          onChange={(event) => onChange({ ...wish, serviceId: event.currentTarget.value })}
        >
          <option value="">Choose…</option>
          <ServiceOptions services={services} />
        </SelectField>
      </Box>
      <Box
        minWidth="0"
        gridRow={{ base: '2', sm: 'auto' }}
        gridColumn={{ base: service && beside ? '1' : '1 / -1', sm: 'auto' }}
      >
        <SelectField
          label={`With${number}`}
          value={wish.employeeId}
          onChange={(event) => onChange({ ...wish, employeeId: event.currentTarget.value })}
        >
          <option value="">{ANYONE}</option>
          {able.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </Box>
      {onRemove && (
        <Button
          variant="quiet"
          minHeight="12"
          px="0"
          gridRow={{ base: '1', sm: 'auto' }}
          gridColumn={{ base: '3', sm: 'auto' }}
          aria-label={`Remove service${number}`}
          onClick={onRemove}
        >
          <Trash2 size={18} aria-hidden />
        </Button>
      )}
      {service && (
        <Box
          gridRow={{ base: beside ? '2' : '3', sm: 'auto' }}
          gridColumn={{ base: beside ? '2 / -1' : '1 / -1', sm: '1 / -1' }}
        >
          <LengthField
            label={`Length${number}`}
            service={service}
            employeeId={wish.employeeId}
            extraMinutes={wish.extraMinutes}
            onChange={(extraMinutes) => onChange({ ...wish, extraMinutes })}
          />
        </Box>
      )}
    </Grid>
  );
}
