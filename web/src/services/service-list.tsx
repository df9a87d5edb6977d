import { Box, chakra, Flex, Grid, Stack } from '@chakra-ui/react';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { minutesText } from '../time/zoned';
import { Card } from '../ui/card';
import { moneyText } from '../ui/money';
import { Figures, H3, Muted } from '../ui/text';
import { SegmentBar } from './segment-bar';
import { stretchesOf, visitMinutes } from './segments';

/** Names of the people who do a service; undefined where the viewer may not know them. */
export type Staff = Map<string, string> | undefined;

/** Services by category, as the contract orders them. */
export function ServiceList({ services, staff }: { services: Service[]; staff: Staff }) {
  const longest = Math.max(
    60,
    ...services.map((service) => stretchesOf(service).reduce((sum, s) => sum + s.minutes, 0)),
  );
  return (
    <Stack gap="6">
      {byCategory(services).map(([category, members]) => (
        <Card key={category} title={category || 'Other services'} flush>
          <Box as="ul" listStyleType="none">
            {members.map((service) => (
              <ServiceRow key={service.id} service={service} staff={staff} scaleMinutes={longest} />
            ))}
          </Box>
        </Card>
      ))}
    </Stack>
  );
}

function ServiceRow({
  service,
  staff,
  scaleMinutes,
}: {
  service: Service;
  staff: Staff;
  scaleMinutes: number;
}) {
  const people = staff && service.employeeIds.flatMap((id) => staff.get(id) ?? []);
  return (
    <Grid
      as="li"
      gridTemplateColumns={{ base: 'minmax(0, 1fr) auto', lg: 'minmax(0, 5fr) minmax(0, 6fr) 6rem' }}
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
        {people && (
          <Muted>
            {people.length > 0 ? new Intl.ListFormat('en-GB').format(people) : 'Nobody does this yet'}
          </Muted>
        )}
        {staff && service.aliases.length > 0 && <Aliases aliases={service.aliases} />}
      </Stack>
      <Stack gap="1.5" gridColumn={{ base: '1 / -1', lg: '2' }} gridRow={{ base: '2', lg: '1' }}>
        <SegmentBar stretches={stretchesOf(service)} scaleMinutes={scaleMinutes} />
        <Figures color="fg.muted" fontSize="0.875rem">
          {minutesText(visitMinutes(service))}
        </Figures>
      </Stack>
      <Figures
        gridColumn={{ base: '2', lg: '3' }}
        gridRow="1"
        textAlign="end"
        fontSize="1.0625rem"
        fontWeight="600"
        alignSelf={{ base: 'start', lg: 'center' }}
      >
        {moneyText(service.priceMinor, service.currency)}
      </Figures>
    </Grid>
  );
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
