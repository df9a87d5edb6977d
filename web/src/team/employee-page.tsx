import { Grid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { may } from '../api/access';
import { BusinessInHand } from '../business/business-in-hand';
import { useBusinessHere } from '../business/chosen-business';
import { meQuery } from '../business/queries';
import { AuditAccess, ScheduleAccess, TimeOffAccess } from '../gen/access';
import type { DayHours, WeeklySchedule } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { TextLink } from '../layout/links';
import { NotFound } from '../layout/not-found';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { ZoneNote } from '../time/zone-note';
import { dayKey } from '../time/zoned';
import { useNow } from '../ui/use-now';
import { DayHoursCard } from './day-hours-card';
import { DayHoursDialog } from './day-hours-dialog';
import { EmployeeBusiness } from './employee-business';
import { LeftStranded } from './left-stranded';
import { RemovalDialog } from './removal-dialog';
import { TeamAccess, type TeamHere } from './team-access';
import { TeamSkeleton } from './team-skeleton';
import { TimeOffList } from './time-off-list';
import { type EmployeeHours, useEmployeeHours } from './use-employee-hours';
import { useRemoving } from './use-removing';
import { scheduleOn, useTeamPaths } from './use-team-paths';
import { WeekDialog } from './week-dialog';
import { WeeksCard } from './weeks-card';

export function Component() {
  const { employeeId = '' } = useParams();
  const { businessId, chosen } = useBusinessHere();
  if (!businessId) return <EmployeeBusiness employeeId={employeeId} />;
  return (
    <Stack gap="4">
      {chosen && <BusinessInHand businessId={businessId} choose={paths.adminTeam()} />}
      <TeamAccess>{(here) => <EmployeePage key={employeeId} {...here} employeeId={employeeId} />}</TeamAccess>
    </Stack>
  );
}

type EmployeePageProps = TeamHere & { employeeId: string };

/** Before anything is known of the employee, the page has no name. */
function EmployeePage({ employeeId, ...here }: EmployeePageProps) {
  const today = dayKey(useNow(60_000), here.zone);
  const { query, hours } = useEmployeeHours(here.businessId, employeeId, today);
  const waiting = (
    <Page title="Working hours">
      <TeamSkeleton />
    </Page>
  );
  if (hours === null) return <NotFound />;
  return (
    <Reading query={query} what="The working hours" framed missingIsPage page skeleton={waiting}>
      {() => (hours ? <Hours {...here} today={today} employee={hours} /> : waiting)}
    </Reading>
  );
}

type HoursProps = TeamHere & { today: string; employee: EmployeeHours };

/** Which form stands in front of the page: of a week, or of a single day; of a new one without. */
type Form = { week: WeeklySchedule | undefined } | { day: DayHours | undefined };

/** When one person works, and when not. */
function Hours({ businessId, role, zone, today, employee }: HoursProps) {
  const [form, setForm] = useState<Form>();
  const removing = useRemoving(businessId, employee.id);
  const me = useQuery(meQuery()).data?.id ?? '';
  const { team } = useTeamPaths();
  const changes = may(ScheduleAccess.setWeeklySchedule, role);
  const asks = may(TimeOffAccess.approveTimeOff, role) || (me !== '' && employee.userId === me);
  const close = () => setForm(undefined);
  return (
    <Page
      title={employee.name}
      tab={`${employee.name} · Team`}
      lead={
        <Stack direction="row" gap="4" rowGap="1" wrap="wrap" align="center">
          <TextLink to={team}>The whole team</TextLink>
          <TextLink to={scheduleOn(businessId, today, employee.id)}>The week in the schedule</TextLink>
          {may(AuditAccess.listAuditEntries, role) && (
            <TextLink to={paths.audit(businessId, employee.id)}>Changes</TextLink>
          )}
          <ZoneNote zone={zone} />
        </Stack>
      }
    >
      <LeftStranded businessId={businessId} zone={zone} employee={employee} />
      <WeeksCard
        weeks={employee.weeks}
        today={today}
        work={
          changes
            ? {
                add: () => setForm({ week: undefined }),
                edit: (week) => setForm({ week }),
                remove: removing.removeWeek,
              }
            : undefined
        }
      />
      <Grid
        gap="6"
        alignItems="start"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' }}
      >
        <DayHoursCard
          days={employee.days}
          work={
            changes
              ? {
                  add: () => setForm({ day: undefined }),
                  edit: (day) => setForm({ day }),
                  remove: removing.removeDay,
                }
              : undefined
          }
        />
        <TimeOffList
          businessId={businessId}
          zone={zone}
          role={role}
          me={me}
          today={today}
          employeeId={employee.id}
          people={asks ? [employee] : []}
        />
      </Grid>
      {form && 'week' in form && (
        <WeekDialog
          businessId={businessId}
          zone={zone}
          today={today}
          employee={employee}
          week={form.week}
          onClose={close}
        />
      )}
      {form && 'day' in form && (
        <DayHoursDialog
          businessId={businessId}
          zone={zone}
          employee={employee}
          date={form.day?.date}
          onClose={close}
        />
      )}
      {removing.asking && (
        <RemovalDialog
          businessId={businessId}
          employeeId={employee.id}
          zone={zone}
          {...removing.asking}
          onConfirm={removing.confirm}
          onClose={removing.keep}
        />
      )}
    </Page>
  );
}
