import { Box, Flex, Grid, Stack } from '@chakra-ui/react';
import {
  Activity,
  Blocks,
  Building2,
  CalendarCheck,
  CalendarDays,
  CalendarRange,
  CalendarSync,
  ChartColumn,
  ChartNoAxesColumn,
  ContactRound,
  HeartHandshake,
  Plug,
  Radio,
  Scale,
  Store,
  UserRoundPlus,
  Workflow,
} from 'lucide-react';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { allBusinessesPages } from '../business/queries';
import { RowLink } from '../layout/links';
import { Page } from '../layout/page';
import { paths } from '../paths';
import { Surface } from '../ui/card';
import { Muted } from '../ui/text';
import { Overview } from './overview';

const ENTRIES = [
  {
    to: paths.adminBusinesses,
    icon: Building2,
    title: 'Businesses',
    text: 'Every salon of this installation',
  },
  {
    to: paths.adminHealth,
    icon: Activity,
    title: 'Businesses at a glance',
    text: 'Calls, visits, calendars and what goes wrong',
  },
  {
    to: paths.adminScheduling(),
    icon: CalendarDays,
    title: 'Salon scheduling',
    text: 'The days of any salon',
  },
  {
    to: paths.adminTeam(),
    icon: ContactRound,
    title: 'Staff schedules',
    text: 'Who works when, and who is away',
  },
  {
    to: paths.adminEmployees(),
    icon: UserRoundPlus,
    title: 'Employee management',
    text: 'Add many employees, with calendars and invitations',
  },
  {
    to: paths.adminDependencies,
    icon: Workflow,
    title: 'Rules between services',
    text: 'Order, gaps and who does what in one visit',
  },
  {
    to: paths.adminPairings,
    icon: HeartHandshake,
    title: 'Service pairings',
    text: 'What is suggested, and what is bought together',
  },
  {
    to: paths.adminScheduleCheck,
    icon: CalendarCheck,
    title: 'Schedule check',
    text: 'Whether a time is free, rule by rule',
  },
  {
    to: paths.adminAppointmentSync,
    icon: CalendarSync,
    title: 'Appointment sync',
    text: 'Whether each appointment reached its calendar',
  },
  {
    to: paths.adminProviderSync,
    icon: Plug,
    title: 'Booking system sync',
    text: 'What was read from it, and who is who there',
  },
  {
    to: paths.adminProviderAvailability,
    icon: CalendarRange,
    title: 'Availability compared',
    text: 'Where the book and the booking system differ',
  },
  {
    to: paths.adminConsistency,
    icon: Scale,
    title: 'Consistency',
    text: 'Whether the book and the calendars agree',
  },
  {
    to: paths.adminIntelligence(),
    icon: ChartNoAxesColumn,
    title: 'Service intelligence',
    text: 'What services bring, and unmet demand',
  },
  {
    to: paths.adminInsights,
    icon: ChartColumn,
    title: 'Insights',
    text: 'What calls come to, and what they are worth',
  },
  {
    to: paths.adminEvents,
    icon: Radio,
    title: 'Event tracking',
    text: 'What people and services did, as it happens',
  },
  {
    to: paths.adminComponents,
    icon: Blocks,
    title: 'Components',
    text: 'The building blocks of the screens',
  },
  { to: paths.myBusinesses, icon: Store, title: 'Your businesses', text: 'The salons you are a member of' },
];

export function loader() {
  return warm(() => [queries.prefetchInfiniteQuery(allBusinessesPages())]);
}

export function Component() {
  return (
    <Page title="Admin" lead="You look after this installation of Frontdesk.">
      <Overview />
      <Grid
        as="ul"
        listStyleType="none"
        gap="4"
        gridTemplateColumns="repeat(auto-fill, minmax(min(18rem, 100%), 1fr))"
      >
        {ENTRIES.map(({ to, icon: Icon, title, text }) => (
          <Surface
            as="li"
            key={to}
            position="relative"
            display="flex"
            p="5"
            transition="colors"
            _hover={{ bg: 'bg.hover' }}
          >
            <Flex gap="4" align="center">
              <Box p="3" borderRadius="button" bg="brand.subtle" color="brand.fg">
                <Icon size={24} aria-hidden />
              </Box>
              <Stack gap="0">
                <RowLink to={to}>{title}</RowLink>
                <Muted>{text}</Muted>
              </Stack>
            </Flex>
          </Surface>
        ))}
      </Grid>
    </Page>
  );
}
