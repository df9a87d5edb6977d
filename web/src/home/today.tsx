import { useMemo } from 'react';
import { may } from '../api/access';
import { columnsOf } from '../day/columns';
import { AppointmentAccess } from '../gen/access';
import { TextLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { useSchedule } from '../schedule/use-schedule';
import { dayKey, localMinute } from '../time/zoned';
import { Card } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { useNow } from '../ui/use-now';
import { AtWork } from './at-work';
import { Gaps } from './gaps';
import { MyDay } from './my-day';

const MINUTE_MS = 60_000;

type TodayProps = { businessId: string; role: string; zone: string };

/** Today as the schedule has it, a column for each employee. */
function useToday(businessId: string, zone: string) {
  const now = useNow(MINUTE_MS);
  const day = dayKey(now, zone);
  const days = useMemo(() => [day], [day]);
  const { query, data } = useSchedule(businessId, days);
  const columns = useMemo(() => {
    if (!data) return undefined;
    const employed = new Set(data.employees.map(({ id }) => id));
    // One whose name is not known yet is neither at work nor free.
    return columnsOf(data, '').filter(({ employeeId }) => employed.has(employeeId));
  }, [data]);
  const services = useMemo(() => [...(data?.catalogue.values() ?? [])], [data]);
  return { now, query, columns, services };
}

/** The viewer's own visits and blocked time of today; nothing for a viewer who takes no bookings. */
export function MyDayCard({ businessId, role, zone }: TodayProps) {
  const { query, columns } = useToday(businessId, zone);
  const own = columns?.filter(({ own }) => own);
  // Only of an employee it is known before the answer that there is a day of their own.
  if (own ? own.length === 0 : role !== 'EMPLOYEE') return null;
  const skeleton = <RowsSkeleton rows={3} label="Loading your day" />;
  return (
    <Card title="My day" flush>
      <Reading query={query} what="Your day" skeleton={skeleton}>
        {() => (own ? <MyDay businessId={businessId} columns={own} /> : skeleton)}
      </Reading>
    </Card>
  );
}

/** Who is here, until when and with whom. */
export function AtWorkCard({ businessId, zone }: TodayProps) {
  const { now, query, columns } = useToday(businessId, zone);
  const skeleton = <RowsSkeleton rows={4} label="Loading who is at work" />;
  return (
    <Card title="At work" flush>
      <Reading query={query} what="Who is at work" skeleton={skeleton}>
        {() =>
          columns ? (
            <AtWork businessId={businessId} columns={columns} minute={localMinute(now, zone).minute} />
          ) : (
            skeleton
          )
        }
      </Reading>
    </Card>
  );
}

/** Free time of today. */
export function GapsCard({ businessId, role, zone }: TodayProps) {
  const { now, query, columns, services } = useToday(businessId, zone);
  const skeleton = <RowsSkeleton rows={3} label="Looking for free time" />;
  return (
    <Card
      title="Free times today"
      flush
      action={<TextLink to={paths.schedule(businessId)}>The whole day</TextLink>}
    >
      <Reading query={query} what="Free time" skeleton={skeleton}>
        {() =>
          columns ? (
            <Gaps
              businessId={businessId}
              columns={columns}
              services={services}
              now={now}
              zone={zone}
              mayBook={may(AppointmentAccess.bookAppointment, role)}
            />
          ) : (
            skeleton
          )
        }
      </Reading>
    </Card>
  );
}
