import { Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ContactRound, UsersRound } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ShouldRevalidateFunctionArgs } from 'react-router';
import { may } from '../api/access';
import { ChosenBusiness } from '../business/chosen-business';
import { namesakes, onlyLookAlike } from '../business/namesakes';
import { employeesQuery } from '../business/queries';
import { useOnBehalfOf } from '../business/use-employees';
import { EmployeeAccess, ScheduleAccess } from '../gen/access';
import { TimeOffState } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { DayNavigation } from '../layout/day-navigation';
import { ButtonLink } from '../layout/links';
import { OnceRead } from '../layout/once-read';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { useSchedule } from '../schedule/use-schedule';
import { instantOf } from '../time/local';
import { shortDayText, weekAround } from '../time/local-day';
import { ZoneNote } from '../time/zone-note';
import { dayKey, dayName } from '../time/zoned';
import { Surface } from '../ui/card';
import { Empty, Note } from '../ui/states';
import { H2 } from '../ui/text';
import { useNow } from '../ui/use-now';
import { useShortcuts } from '../ui/use-shortcuts';
import { useWide } from '../ui/use-width';
import type { Cell } from './cells';
import { DayHoursDialog } from './day-hours-dialog';
import { DayList } from './day-list';
import { timeOffFromQuery } from './queries';
import { TeamAccess, type TeamHere } from './team-access';
import { TeamSkeleton } from './team-skeleton';
import { type TeamWeek, teamWeekOf } from './team-week';
import { TimeOffList } from './time-off-list';
import { useDay } from './use-day';
import { useNoHours } from './use-no-hours';
import { scheduleOn, useTeamPaths } from './use-team-paths';
import { WeekGrid } from './week-grid';

/** Another week of the same business waits for nothing: its own reads say how far they are. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname !== nextUrl.pathname;
}

export function Component() {
  return (
    <Page title="Team" lead="Who works when, who is away, and when the team is short.">
      <ChosenBusiness>
        <TeamAccess>{(here) => <Team key={here.businessId} {...here} />}</TeamAccess>
      </ChosenBusiness>
    </Page>
  );
}

/** The week of all employees, and time off. */
function Team({ businessId, role, zone }: TeamHere) {
  const now = useNow(60_000);
  const today = dayKey(now, zone);
  const { day, goTo, step, toDate } = useDay(today);
  const days = useMemo(() => weekAround(day), [day]);
  const [first = day, last = day] = [days[0], days.at(-1)];
  const { query, data } = useSchedule(businessId, days);
  const requests = useQuery(timeOffFromQuery(businessId, '', instantOf(first, 0, zone))).data;
  const week = useMemo(() => {
    const asked = requests?.filter(({ state }) => state === TimeOffState.REQUESTED) ?? [];
    return data && teamWeekOf(data, asked);
  }, [data, requests]);
  const [opened, setOpened] = useState<Cell>();
  const changes = may(ScheduleAccess.setDayHours, role);
  const { people, me } = useOnBehalfOf(businessId, changes);
  const person = data?.employees.find(({ id }) => id === opened?.employeeId);
  useShortcuts({
    t: { what: 'This week', run: () => goTo(today) },
    j: { what: 'Next week', run: () => step(7) },
    k: { what: 'Previous week', run: () => step(-7) },
  });
  const title = `${shortDayText(first)} – ${shortDayText(last)}`;

  return (
    <Stack gap="5">
      <Flex justify="space-between" align="center" gap="3" wrap="wrap">
        <Flex gap="4" rowGap="0" wrap="wrap" align="baseline" aria-live="polite">
          <H2>{title}</H2>
          <ZoneNote zone={zone} />
        </Flex>
        <Flex width={{ base: '100%', sm: 'auto' }}>
          <DayNavigation
            day={day}
            what="week"
            onDay={goTo}
            onStep={(direction) => step(direction * 7)}
            onToday={() => goTo(today)}
          />
        </Flex>
      </Flex>
      <Reading query={query} what="The team" framed missingIsPage skeleton={<TeamSkeleton />}>
        {() =>
          week ? (
            <Week
              businessId={businessId}
              week={week}
              label={`The team, ${title}`}
              day={day}
              today={today}
              dayTitle={(named) => dayName(instantOf(named, 12 * 60, zone), zone, now)}
              toDate={toDate}
              onCell={changes ? setOpened : undefined}
            />
          ) : (
            <TeamSkeleton />
          )
        }
      </Reading>
      <OnceRead queries={[query]} skeleton={null}>
        <Namesakes businessId={businessId} role={role} />
        <TimeOffList
          businessId={businessId}
          zone={zone}
          role={role}
          me={me}
          today={today}
          employeeId=""
          people={people}
        />
      </OnceRead>
      {opened && person && (
        <DayHoursDialog
          businessId={businessId}
          zone={zone}
          employee={person}
          date={opened.day}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Stack>
  );
}

/** Two people whom callers can’t tell apart: an owner gives one another name. */
function Namesakes({ businessId, role }: Pick<TeamHere, 'businessId' | 'role'>) {
  const employees = useQuery(employeesQuery(businessId)).data?.employees ?? [];
  const [group] = namesakes(employees);
  if (!group || !may(EmployeeAccess.updateEmployee, role)) return null;
  return (
    <Note
      tone="warn"
      icon={UsersRound}
      action={<ButtonLink to={paths.details(businessId, 'team')}>Tell them apart</ButtonLink>}
    >
      {onlyLookAlike(group)
        ? `${group.length} people have names that look like ${group[0]?.name}, in different alphabets.`
        : `${group.length} people go by the name ${group[0]?.name}, and callers ask for people by name.`}
    </Note>
  );
}

type WeekProps = {
  businessId: string;
  week: TeamWeek;
  label: string;
  day: string;
  today: string;
  dayTitle: (day: string) => string;
  toDate: (day: string) => string;
  onCell: ((cell: Cell) => void) | undefined;
};

/** Seven days beside each other, or one on a phone. */
function Week({ businessId, label, day, toDate, ...shared }: WeekProps) {
  const wide = useWide();
  const { employee } = useTeamPaths();
  const hasNoHours = useNoHours(businessId, shared.today);
  const links = { toDay: (named: string) => scheduleOn(businessId, named), toEmployee: employee };
  if (shared.week.rows.length === 0) {
    return (
      <Surface>
        <Empty icon={ContactRound} title="No employees yet">
          Each employee has a row here. Without any, there is nothing to show.
        </Empty>
      </Surface>
    );
  }
  return wide ? (
    <WeekGrid label={label} hasNoHours={hasNoHours} {...shared} {...links} />
  ) : (
    <DayList day={day} toDate={toDate} hasNoHours={hasNoHours} {...shared} {...links} />
  );
}
