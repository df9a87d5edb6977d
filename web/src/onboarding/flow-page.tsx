import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { may } from '../api/access';
import { CalendarAccess } from '../gen/access';
import { CardPage } from '../layout/card-page';
import { ButtonLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { Waiting } from '../layout/waiting';
import { isId } from '../paths';
import { session } from '../session/current';
import { landingOf } from '../session/landing';
import { useSession } from '../session/use-session';
import type { User } from '../session/user';
import { RowsSkeleton } from '../ui/skeleton';
import { Text } from '../ui/text';
import { AllowStep } from './allow-step';
import { ChooseStep } from './choose-step';
import { personCalendarsQuery } from './queries';
import { ReadingStep } from './reading-step';
import { SignInStep } from './sign-in-step';

/** Connecting a calendar, step by step. Which step comes next follows from what is done, so it can be left at any time. */
export function Component() {
  const { user, loading, complete } = useSession();
  if (user) return <SignedIn user={user} />;
  if (loading && !complete && session.hadSession) return <Waiting label="Authenticating" />;
  return <SignInStep />;
}

function SignedIn({ user }: { user: User }) {
  const [search] = useSearchParams();
  const allowed = may(CalendarAccess.connectCalendar, user.role);
  const calendars = useQuery({ ...personCalendarsQuery(), enabled: allowed });
  const [business, calendar] = [search.get('business') ?? '', search.get('calendar') ?? ''];
  if (!allowed) return <NotForGuests user={user} />;
  if (isId(business) && isId(calendar)) return <ReadingStep businessId={business} calendarId={calendar} />;
  return (
    <Reading
      query={calendars}
      what="Your calendars"
      page
      skeleton={
        <CardPage title="Connect a calendar">
          <RowsSkeleton rows={3} label="Loading your calendars" />
        </CardPage>
      }
    >
      {(found) =>
        'calendars' in found ? (
          <ChooseStep user={user} calendars={found.calendars} />
        ) : (
          <AllowStep user={user} />
        )
      }
    </Reading>
  );
}

function NotForGuests({ user }: { user: User }) {
  return (
    <CardPage title="Connect a calendar">
      <Text>
        Only people who work in a salon connect calendars. When a salon invites you as an employee, you can do
        it here.
      </Text>
      <ButtonLink to={landingOf(user)} variant="contained">
        Go on
      </ButtonLink>
    </CardPage>
  );
}
