import { chakra, Flex, Grid, Stack } from '@chakra-ui/react';
import { Archive, EllipsisVertical, Pencil, ScrollText } from 'lucide-react';
import { stretchesOf, visitMinutes } from '../day/segments';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { minutesText } from '../time/zoned';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { LongList } from '../ui/long-list';
import { Menu, MenuItem } from '../ui/menu';
import { moneyText } from '../ui/money';
import { Figures, H3, Muted } from '../ui/text';
import { SegmentBar } from './segment-bar';

const ROW_HEIGHT = 96;

/** Names of the people who do a service; undefined where the viewer may not know them. */
export type Staff = Map<string, string> | undefined;

/** What may be done with each; undefined for those who may not. */
type ServiceWork =
  | {
      edit: (service: Service) => void;
      archive: (id: string) => void;
      keep: (id: string) => void;
      /** Shows who changed it; absent where the viewer may not know. */
      audit: ((id: string) => void) | undefined;
      /** Services that are being removed. */
      leaving: readonly string[];
    }
  | undefined;

type ServiceListProps = { services: Service[]; staff: Staff; work?: ServiceWork };

/** Services by category, as the contract orders them. */
export function ServiceList({ services, staff, work }: ServiceListProps) {
  const longest = Math.max(
    60,
    ...services.map((service) => stretchesOf(service).reduce((sum, s) => sum + s.minutes, 0)),
  );
  return (
    <Stack gap="6">
      {byCategory(services).map(([category, members]) => (
        <Card key={category} title={category || 'Other services'} flush overflow="visible">
          <LongList items={members} keyOf={({ id }) => id} rowHeight={ROW_HEIGHT}>
            {(service) =>
              work?.leaving.includes(service.id) ? (
                <LeavingRow service={service} onKeep={() => work.keep(service.id)} />
              ) : (
                <ServiceRow service={service} staff={staff} scaleMinutes={longest} work={work} />
              )
            }
          </LongList>
        </Card>
      ))}
    </Stack>
  );
}

type ServiceRowProps = { service: Service; staff: Staff; scaleMinutes: number; work: ServiceWork };

function ServiceRow({ service, staff, scaleMinutes, work }: ServiceRowProps) {
  const people = staff && service.employeeIds.flatMap((id) => staff.get(id) ?? []);
  return (
    <Grid
      gridTemplateColumns={{
        base: 'minmax(0, 1fr) auto',
        lg: `minmax(0, 5fr) minmax(0, 6fr) ${work ? '9rem' : '6rem'}`,
      }}
      columnGap="6"
      rowGap="3"
      alignItems="center"
      px={{ base: '4', sm: '6' }}
      py="4"
      borderTop="1px solid"
      borderColor="line"
    >
      <Stack gap="1" minWidth="0">
        <H3 overflowWrap="anywhere">{service.name}</H3>
        {people && <Muted>{peopleText(people, staff?.size ?? 0)}</Muted>}
        {staff && service.aliases.length > 0 && <Aliases aliases={service.aliases} />}
        {staff && <Details service={service} staff={staff} />}
      </Stack>
      <Stack gap="1.5" gridColumn={{ base: '1 / -1', lg: '2' }} gridRow={{ base: '2', lg: '1' }}>
        <SegmentBar stretches={stretchesOf(service)} scaleMinutes={scaleMinutes} />
        <Figures color="fg.muted" fontSize="0.875rem">
          {minutesText(visitMinutes(service))}
        </Figures>
      </Stack>
      <Flex
        gridColumn={{ base: '2', lg: '3' }}
        gridRow="1"
        align="center"
        justify="flex-end"
        gap="2"
        alignSelf={{ base: 'start', lg: 'center' }}
        // Its price is level with its name.
        mt={{ base: work ? '-2.5' : '0', lg: '0' }}
      >
        <Figures fontSize="1.0625rem" fontWeight="600">
          {moneyText(service.priceMinor, service.currency)}
        </Figures>
        {work && <ServiceMenu service={service} work={work} />}
      </Flex>
    </Grid>
  );
}

/** Longer lists of names are cut short. */
const NAMED = 4;

/** Who does it, in a line or two. */
function peopleText(people: string[], staff: number): string {
  if (people.length === 0) return 'No employee does this yet';
  const list = new Intl.ListFormat('en-GB');
  if (people.length <= NAMED) return list.format(people);
  if (people.length === staff) return 'Everyone';
  return list.format([...people.slice(0, NAMED - 1), `${people.length - NAMED + 1} others`]);
}

type ServiceMenuProps = { service: Service; work: NonNullable<ServiceWork> };

function ServiceMenu({ service, work }: ServiceMenuProps) {
  const { audit } = work;
  return (
    <Menu
      label={`Change ${service.name}`}
      align="end"
      triggerProps={{ justifyContent: 'center' }}
      trigger={<EllipsisVertical size={20} aria-hidden />}
    >
      <MenuItem value="edit" onPick={() => work.edit(service)}>
        <Pencil size={18} aria-hidden />
        Edit
      </MenuItem>
      <MenuItem value="archive" onPick={() => work.archive(service.id)}>
        <Archive size={18} aria-hidden />
        Archive
      </MenuItem>
      {audit && (
        <MenuItem value="changes" onPick={() => audit(service.id)}>
          <ScrollText size={18} aria-hidden />
          Changes
        </MenuItem>
      )}
    </Menu>
  );
}

/** Shown in the service's place while the removal can be undone; keeps the focus of its menu. */
function LeavingRow({ service, onKeep }: { service: Service; onKeep: () => void }) {
  return (
    <Flex
      align="center"
      justify="space-between"
      gap="4"
      px={{ base: '4', sm: '6' }}
      py="3"
      borderTop="1px solid"
      borderColor="line"
      bg="bg.sunken"
    >
      <Stack gap="0" minWidth="0" role="status">
        <chakra.p fontWeight="550" overflowWrap="anywhere">
          {service.name} is archived
        </chakra.p>
        <Muted>Its visits and figures stay; its rules go with it.</Muted>
      </Stack>
      <Button autoFocus onClick={onKeep} aria-label={`Undo: keep ${service.name}`}>
        Undo
      </Button>
    </Flex>
  );
}

/** Own prices and times, and what it needs beside a person. */
function Details({ service, staff }: { service: Service; staff: NonNullable<Staff> }) {
  const others = service.overrides.flatMap((skill) => {
    const name = staff.get(skill.employeeId);
    if (!name) return [];
    const minutes = skill.segmentMinutes.reduce((sum, length) => sum + length, 0);
    const parts = [
      ...(minutes > 0 ? [minutesText(minutes)] : []),
      ...(skill.priceMinor === undefined ? [] : [moneyText(skill.priceMinor, service.currency)]),
    ];
    return [`${name}: ${parts.join(', ')}`];
  });
  const lines = [
    ...(service.resourceKinds.length > 0
      ? [`Needs ${new Intl.ListFormat('en-GB').format(service.resourceKinds)}`]
      : []),
    ...others,
  ];
  if (lines.length === 0) return null;
  return <Muted fontSize="0.875rem">{lines.join(' · ')}</Muted>;
}

/** What callers say when they mean this service. */
function Aliases({ aliases }: { aliases: string[] }) {
  return (
    <Flex align="center" gap="1.5" wrap="wrap" fontSize="0.875rem" color="fg.muted" pt="0.5">
      <span>Also heard as</span>
      {aliases.map((alias) => (
        <chakra.span
          key={alias}
          px="2"
          py="0.5"
          borderRadius="full"
          bg="quiet.subtle"
          color="quiet.fg"
          overflowWrap="anywhere"
        >
          {alias}
        </chakra.span>
      ))}
    </Flex>
  );
}

function byCategory(services: Service[]): [string, Service[]][] {
  const groups = new Map<string, Service[]>();
  for (const service of services)
    groups.set(service.category, [...(groups.get(service.category) ?? []), service]);
  return [...groups];
}
