import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs, useParams } from 'react-router';
import { may } from '../api/access';
import { fetchedAhead } from '../api/fetched-ahead';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { Allowed } from '../business/allowed';
import { ChooseBusiness } from '../business/choose-business';
import { openingHoursQuery } from '../business/queries';
import { useSearch } from '../finding/use-search';
import { AppointmentAccess, DayAccess } from '../gen/access';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { isId, paths } from '../paths';
import { DaySkeleton } from './day-skeleton';
import type { NewVisit } from './grid/use-free';
import { MONTH } from './month/view';
import { catalogueQuery } from './queries';
import { SchedulePage } from './schedule-page';

const MonthPage = fetchedAhead(() => import('./month/month-page').then(({ MonthPage }) => MonthPage));
const BookingDialog = fetchedAhead(() =>
  import('../booking/booking-dialog').then(({ BookingDialog }) => BookingDialog),
);

export function loader({ params: { businessId } }: LoaderFunctionArgs) {
  if (!isId(businessId)) return null;
  return warm(() => [
    queries.prefetchQuery(openingHoursQuery(businessId)),
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
  if (!businessId) return <ChooseBusiness title="Salon scheduling" to={paths.adminScheduling} />;
  return <ScheduleOf key={businessId} businessId={businessId} />;
}

function ScheduleOf({ businessId }: { businessId: string }) {
  const waiting = (
    <Page title="Schedule">
      <DaySkeleton />
    </Page>
  );
  return (
    <Allowed businessId={businessId} least={AppointmentAccess.listAppointments} waiting={waiting}>
      {(role) => <InZone businessId={businessId} role={role} />}
    </Allowed>
  );
}

/** A click on free time begins a booking there, for a role that may book. */
function Bookable({ businessId, zone, role }: { businessId: string; zone: string; role: string }) {
  const [at, setAt] = useState<NewVisit | null>(null);
  const mayBook = may(AppointmentAccess.bookAppointment, role);
  return (
    <>
      <SchedulePage businessId={businessId} zone={zone} role={role} {...(mayBook && { onCreate: setAt })} />
      {at && <BookingDialog open businessId={businessId} {...at} onClose={() => setAt(null)} />}
    </>
  );
}

/** Which day is today depends on the salon's clock: nothing can be asked for before that is known. */
function InZone({ businessId, role }: { businessId: string; role: string }) {
  const hours = useQuery(openingHoursQuery(businessId));
  const [search] = useSearch();
  const zone = hours.data?.timeZone;
  const showsMonth = search.get('view') === MONTH && may(DayAccess.getMonth, role);
  if (zone && showsMonth) return <MonthPage businessId={businessId} zone={zone} />;
  if (zone) return <Bookable businessId={businessId} zone={zone} role={role} />;
  return (
    <Page title="Schedule">
      <Reading query={hours} what="The schedule" framed missingIsPage skeleton={<DaySkeleton />}>
        {() => <SchedulePage businessId={businessId} zone="UTC" role={role} />}
      </Reading>
    </Page>
  );
}
