import { Stack } from '@chakra-ui/react';
import { CalendarOff, CloudOff } from 'lucide-react';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { may } from '../api/access';
import { messageOf } from '../api/errors';
import { VisitService } from '../gen/frontdesk/scheduling/v1/visit_pb';
import { Page } from '../shell/page';
import { Reading } from '../shell/reading';
import { ZoneNote } from '../time/zone-note';
import { dayKey, dayName } from '../time/zoned';
import { Surface } from '../ui/card';
import { Empty, Note } from '../ui/states';
import { Text } from '../ui/text';
import { useNow } from '../ui/use-now';
import { type Column, columnsOf, type ScheduleData } from './columns';
import { DayGrid } from './day-grid';
import { DaySkeleton } from './day-skeleton';
import { useDensity } from './density';
import { addDays, instantAt, isDay, shortDayText, weekAround } from './local-day';
import type { Destination } from './move-visit';
import { Toolbar } from './toolbar';
import { useMoves } from './use-moves';
import { useSchedule } from './use-schedule';
import { useShortcuts } from './use-shortcuts';
import { useWide } from './use-wide';
import type { VisitCard } from './visit-cards';
import { VisitDrawer } from './visit-drawer';
import { VisitList } from './visit-list';

type SchedulePageProps = {
  businessId: string;
  zone: string;
  role: string;
  /** Books at a time, with somebody or with anyone. Without it free time is no target. */
  onCreate?: (start: Date, employeeId?: string) => void;
};

/** A salon's day, everybody beside each other, or the week of one. Its times are the salon's. */
export function SchedulePage({ businessId, zone, role, onCreate }: SchedulePageProps) {
  const [search, setSearch] = useSearchParams();
  const now = useNow(60_000);
  const today = dayKey(now, zone);
  const asked = search.get('date');
  const day = isDay(asked) ? asked : today;
  const employeeId = search.get('employee') ?? '';
  const days = useMemo(() => (employeeId ? weekAround(day) : [day]), [day, employeeId]);
  const [density, setDensity] = useDensity();
  const wide = useWide();
  const [opened, setOpened] = useState('');
  const { query, data, shadesFailed } = useSchedule(businessId, days, zone);

  const employees = data?.employees;
  const nameOf = (id: string) => employees?.find((employee) => employee.id === id)?.name ?? '';
  const { withMoves, move, undo } = useMoves(businessId, nameOf);
  const shown = useMemo(() => data && { ...data, visits: withMoves(data.visits) }, [data, withMoves]);
  const columns = useMemo(() => (shown ? columnsOf(shown, days, employeeId) : []), [shown, days, employeeId]);

  const show = (changes: { date?: string; employee?: string }) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      for (const [name, value] of Object.entries(changes)) {
        if (value) after.set(name, value);
        else after.delete(name);
      }
      return after;
    });
  // Keys come faster than pages: the next step goes on from the day that is on its way.
  const coming = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (coming.current === day) coming.current = undefined;
  });
  const goTo = (date: string) => {
    coming.current = date;
    show({ date: date === today ? '' : date });
  };
  const step = (direction: 1 | -1) => goTo(addDays(coming.current ?? day, direction * days.length));
  useShortcuts({
    t: () => goTo(today),
    j: () => step(1),
    k: () => step(-1),
    undo,
  });

  const moveCard = useCallback((card: VisitCard, to: Destination) => move(card.appointment, to), [move]);
  const onFree = useMemo(
    () =>
      onCreate &&
      ((column: Column, minute: number) =>
        onCreate(instantAt(column.day, minute, zone), column.employeeId || undefined)),
    [onCreate, zone],
  );
  const dayTitle = (of: string) => dayName(instantAt(of, 12 * 60, zone), zone, now);
  const titleOf = (column: Column) =>
    employeeId
      ? {
          text: shortDayText(column.day),
          to: `?${new URLSearchParams({ date: column.day })}`,
          current: column.day === today,
        }
      : {
          text: column.employeeName,
          to: column.employeeId ? `?${new URLSearchParams({ date: day, employee: column.employeeId })}` : '',
        };
  const title = employeeId ? `${nameOf(employeeId) || 'Somebody'}’s week` : dayTitle(day);

  const body = (of: ScheduleData) => {
    if (of.employees.length === 0) {
      return (
        <Surface>
          <Empty icon={CalendarOff} title="Nobody works here yet">
            Each employee has a column here. Without any, there is nothing to show.
          </Empty>
        </Surface>
      );
    }
    if (columns.length === 0) {
      return (
        <Surface>
          <Empty icon={CalendarOff} title="This employee is not here">
            Perhaps they no longer work at this salon. Choose somebody else above.
          </Empty>
        </Surface>
      );
    }
    if (!wide) return <VisitList days={days} columns={columns} dayTitle={dayTitle} onOpen={setOpened} />;
    return (
      <DayGrid
        columns={columns}
        titleOf={titleOf}
        label={title}
        catalogue={of.catalogue}
        zone={zone}
        density={density}
        draggable={may(VisitService.method.moveAppointment, role)}
        onOpen={setOpened}
        onMove={moveCard}
        onFree={onFree}
      />
    );
  };

  return (
    <Page
      title="Schedule"
      tab={`${title} · Schedule`}
      lead={
        <Stack direction="row" gap="4" wrap="wrap" align="center" aria-live="polite">
          <Text as="span" color="fg" fontWeight="550" fontSize="1.0625rem">
            {title}
            {employeeId && `, ${shortDayText(days[0] ?? day)} – ${shortDayText(days.at(-1) ?? day)}`}
          </Text>
          <ZoneNote zone={zone} />
        </Stack>
      }
      action={
        <Toolbar
          day={day}
          employees={employees}
          employeeId={employeeId}
          density={wide ? density : undefined}
          onDay={goTo}
          onStep={step}
          onToday={() => goTo(today)}
          onEmployee={(employee) => show({ employee })}
          onDensity={setDensity}
        />
      }
    >
      {Boolean(shadesFailed) && (
        <Note tone="warn" icon={CloudOff}>
          Hours or absences may be missing below. {messageOf(shadesFailed)}
        </Note>
      )}
      <Reading query={query} what="The schedule" missingIsPage skeleton={<DaySkeleton />}>
        {() => (shown ? body(shown) : <DaySkeleton />)}
      </Reading>
      {opened && (
        <VisitDrawer
          key={opened}
          businessId={businessId}
          appointmentId={opened}
          listed={shown?.visits.find(({ id }) => id === opened)}
          zone={zone}
          role={role}
          employees={employees ?? []}
          catalogue={shown?.catalogue ?? new Map()}
          onMove={move}
          onClose={() => setOpened('')}
        />
      )}
    </Page>
  );
}
