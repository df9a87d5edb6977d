import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs, useParams } from 'react-router';
import { may } from '../api/access';
import { messageOf } from '../api/errors';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { employeesQuery, openingHoursQuery, useBusinessRole } from '../businesses/queries';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { isId } from '../paths';
import { AccessRestricted } from '../session/access-restricted';
import { NotFound } from '../shell/not-found';
import { Page } from '../shell/page';
import { Reading } from '../shell/reading';
import { Failed } from '../ui/states';
import { ChooseBusiness } from './choose-business';
import { DaySkeleton } from './day-skeleton';
import { catalogueQuery } from './queries';
import { type NewVisit, SchedulePage } from './schedule-page';

const BookingDialog = lazy(() =>
  import('../booking/booking-dialog').then(({ BookingDialog }) => ({ default: BookingDialog })),
);

export function loader({ params: { businessId } }: LoaderFunctionArgs) {
  if (!isId(businessId)) return null;
  return warm(() => [
    queries.prefetchQuery(openingHoursQuery(businessId)),
    queries.prefetchQuery(employeesQuery(businessId)),
    queries.prefetchQuery(catalogueQuery(businessId)),
  ]);
}

/** Another day of the same business waits for nothing: its own reads say how far they are. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname !== nextUrl.pathname;
}

/** The schedule of the business in the address; without one, which it shall be. */
export function Component() {
  const { businessId } = useParams();
  return businessId ? <ScheduleOf key={businessId} businessId={businessId} /> : <ChooseBusiness />;
}

function ScheduleOf({ businessId }: { businessId: string }) {
  const role = useBusinessRole(businessId);
  const waiting = (
    <Page title="Schedule">
      <DaySkeleton />
    </Page>
  );
  switch (role.kind) {
    case 'unknown':
      return waiting;
    case 'none':
      return <NotFound />;
    case 'failed':
      return (
        <Failed title="Your role can’t be found out" message={messageOf(role.error)} onRetry={role.retry} />
      );
    case 'member':
      return may(AppointmentService.method.listAppointments, role.role) ? (
        <InZone businessId={businessId} role={role.role} />
      ) : (
        <AccessRestricted signedIn />
      );
  }
}

/** A click on free time begins a booking there, for whoever may book. */
function Bookable({ businessId, zone, role }: { businessId: string; zone: string; role: string }) {
  const [at, setAt] = useState<NewVisit | null>(null);
  const mayBook = may(AppointmentService.method.bookAppointment, role);
  return (
    <>
      <SchedulePage businessId={businessId} zone={zone} role={role} {...(mayBook && { onCreate: setAt })} />
      <Suspense>
        {at && <BookingDialog open businessId={businessId} {...at} onClose={() => setAt(null)} />}
      </Suspense>
    </>
  );
}

/** Which day is today depends on the salon's clock: nothing can be asked for before that is known. */
function InZone({ businessId, role }: { businessId: string; role: string }) {
  const hours = useQuery(openingHoursQuery(businessId));
  const zone = hours.data?.timeZone;
  if (zone) return <Bookable businessId={businessId} zone={zone} role={role} />;
  return (
    <Page title="Schedule">
      <Reading query={hours} what="The schedule" missingIsPage skeleton={<DaySkeleton />}>
        {() => <SchedulePage businessId={businessId} zone="UTC" role={role} />}
      </Reading>
    </Page>
  );
}
