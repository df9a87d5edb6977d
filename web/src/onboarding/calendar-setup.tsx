import { Stack } from '@chakra-ui/react';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { CalendarCheck, CalendarSync } from 'lucide-react';
import { may } from '../api/access';
import { queries } from '../api/query-client';
import { CalendarAccess } from '../gen/access';
import { ConsentState } from '../gen/frontdesk/calendarsync/v1/consent_pb';
import { CardPage } from '../layout/card-page';
import { ButtonLink } from '../layout/links';
import { Onward } from '../layout/onward';
import { Waiting } from '../layout/waiting';
import { paths } from '../paths';
import { landingOf } from '../session/landing';
import type { User } from '../session/user';
import { Points } from './points';
import { consentsQuery } from './queries';

const POINTS = [
  { icon: CalendarCheck, text: 'What you enter in your calendar keeps your time free here' },
  { icon: CalendarSync, text: 'Your appointments are written to it' },
];

/** Where a signed-in person begins to set their calendar up. */
export function CalendarSetup({ user }: { user: User }) {
  return (
    <QueryClientProvider client={queries}>
      <Index user={user} />
    </QueryClientProvider>
  );
}

function Index({ user }: { user: User }) {
  // Only people of a salon have a calendar to connect.
  const connects = user.businessIds.length > 0 && may(CalendarAccess.connectCalendar, user.role);
  const { data, isPending } = useQuery({ ...consentsQuery(), enabled: connects });
  if (connects && isPending) return <Waiting label="Loading your calendars" />;
  const given = data?.consents.some(({ state }) => state === ConsentState.GIVEN);
  // Without an answer people go on to their work, where calendars can be connected as well.
  if (!data || data.consents.length === 0 || given || data.hasCalendar)
    return <Onward to={landingOf(user)} label="Loading the page" />;
  return (
    <CardPage title="Set up your calendar" lead="So that no customer is booked while you are busy.">
      <Points points={POINTS} />
      <Stack gap="2.5">
        <ButtonLink to={paths.onboardingFlow()} variant="contained">
          Connect your calendar
        </ButtonLink>
        <ButtonLink to={landingOf(user)}>Go on without a calendar</ButtonLink>
      </Stack>
    </CardPage>
  );
}
