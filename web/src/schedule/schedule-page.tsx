import { Box, Flex, Stack } from '@chakra-ui/react';
import { CloudOff } from 'lucide-react';
import { lazy, Suspense, useContext, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { may } from '../api/access';
import { AsOf, Doubts } from '../business/freshness-note';
import { OpenSearch } from '../business/open-search';
import { columnsOf, type Person } from '../day/columns';
import { AvailabilityAccess, DayAccess, ProposalAccess } from '../gen/access';
import type { DayVisit } from '../gen/frontdesk/scheduling/v1/day_pb';
import { messageOf } from '../http/errors';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { datesText } from '../time/day-text';
import { instantOf } from '../time/local';
import { shortDayText } from '../time/local-day';
import { ZoneNote } from '../time/zone-note';
import { dayKey, dayName } from '../time/zoned';
import { Note } from '../ui/states';
import { Text } from '../ui/text';
import { useNow } from '../ui/use-now';
import { useShortcuts } from '../ui/use-shortcuts';
import { useWide } from '../ui/use-width';
import { CompactToolbar } from './compact-toolbar';
import { DayBody } from './day-body';
import type { Opened } from './day-dialogs';
import { DayOverlays } from './day-overlays';
import { DaySkeleton } from './day-skeleton';
import { DayTools } from './day-tools';
import { useDensity } from './grid/density';
import { type NewVisit, useFree } from './grid/use-free';
import { useFreeStarts } from './grid/use-free-starts';
import { useGhosts } from './grid/use-ghosts';
import { monthSearch } from './month/view';
import { PANEL_KEYS, PANEL_NAMES, PANELS, type PanelKind } from './panels/panels';
import { useDayPanels } from './panels/use-day-panels';
import { PhoneToolbar } from './phone-toolbar';
import { usePrintDay } from './print/use-print-day';
import { Toolbar } from './toolbar';
import { useDayAddress } from './use-day-address';
import { useDrawnColumns } from './use-drawn-columns';
import { useRearranging } from './use-rearranging';
import { useSchedule } from './use-schedule';

/** "Today" and the like, rather than a date. */
const NEARBY = /^\D+$/;

const NO_VISITS: readonly DayVisit[] = [];
const NO_PEOPLE: readonly Person[] = [];

const DayBeside = lazy(() => import('./panels/day-beside').then(({ DayBeside }) => ({ default: DayBeside })));

type SchedulePageProps = {
  businessId: string;
  zone: string;
  role: string;
  /** Begins a booking. Without it free time is no target. */
  onCreate?: (visit: NewVisit) => void;
};

/** A salon's day with a column per employee, or one employee's week, in the salon's time zone. */
export function SchedulePage({ businessId, zone, role, onCreate }: SchedulePageProps) {
  const now = useNow(60_000);
  const today = dayKey(now, zone);
  const address = useDayAddress(today);
  const { day, days, employeeId, serviceId, whose, panel, show, goTo, step, togglePanel } = address;
  const [density, setDensity] = useDensity();
  const wide = useWide();
  // Of a card that is pressed, or of the address that led here.
  const [pressedId, setVisitId] = useState('');
  const visitId = address.visitId || pressedId;
  const [opened, setOpened] = useState<Opened | null>(null);
  const { query, data, sources } = useSchedule(businessId, days);

  const employees = data?.employees;
  const nameOf = (id: string) => employees?.find((employee) => employee.id === id)?.name ?? '';
  const { withMoves, move, moveCard, resize, question } = useRearranging({
    businessId,
    zone,
    role,
    maySqueezeIn: data?.maySqueezeIn ?? false,
    nameOf,
    onOpen: setOpened,
  });
  const shown = useMemo(() => data && { ...data, visits: withMoves(data.visits) }, [data, withMoves]);
  const columns = useMemo(() => (shown ? columnsOf(shown, employeeId) : []), [shown, employeeId]);
  const { drawn, absent, absentShown, setAbsentShown, compact, mine } = useDrawnColumns({
    columns,
    employeeId,
    role,
    whose,
    hasOwn: data?.columns.some(({ own }) => own) ?? false,
    beside: panel !== undefined,
  });
  const people = useMemo(
    () => (employees ?? []).filter(({ id }) => !employeeId || id === employeeId),
    [employees, employeeId],
  );
  const service = data?.catalogue.get(serviceId);
  const free = useFreeStarts(businessId, wide ? service : undefined, people, days, zone);
  const mayExplain = may(AvailabilityAccess.explainAvailability, role);
  const mayBlock = data?.columns.some(({ mayBlock }) => mayBlock) ?? false;
  const { actions, pointed } = useFree({
    serviceId: service?.id ?? '',
    starts: free.starts,
    zone,
    onCreate,
    onWhyNot: mayExplain ? (at) => setOpened({ kind: 'why', at }) : undefined,
    onSpan: mayBlock
      ? (column, span) => setOpened({ kind: 'block', day: column.day, employeeId: column.employeeId, span })
      : undefined,
    onBlock: (blockId) => setOpened({ kind: 'blocked', blockId }),
  });
  const { panels, counts, stranded } = useDayPanels({
    businessId,
    zone,
    role,
    day,
    employeeId,
    open: panel,
    columns,
    now,
  });

  const ghosts = useGhosts({
    businessId,
    shown: panel === 'optimise' && panels.includes(panel),
    day,
    zone,
    columns,
    visits: shown?.visits ?? NO_VISITS,
    employees: employees ?? NO_PEOPLE,
  });

  const { print, sheet } = usePrintDay({ businessId, zone, role, columns: mine ? drawn : columns });
  const toMonth = may(DayAccess.getMonth, role) ? monthSearch(day, today, employeeId) : undefined;
  const navigate = useNavigate();
  const onMonth = toMonth ? () => void navigate(toMonth) : undefined;

  const whyNot = () => setOpened({ kind: 'why', at: { ...pointed(columns, day, now), serviceId } });
  const block = () => {
    const { minute, ...at } = pointed(columns, day, now);
    setOpened({ kind: 'block', ...at, span: { from: minute, to: minute + 30 } });
  };
  const find = useContext(OpenSearch);
  const unit = employeeId ? 'week' : 'day';
  const keyed = (kind: PanelKind) =>
    panels.includes(kind) ? { what: PANEL_NAMES[kind], run: () => togglePanel(kind) } : undefined;
  useShortcuts({
    t: { what: 'Today', run: () => goTo(today) },
    j: { what: `Next ${unit}`, run: () => step(1) },
    k: { what: `Previous ${unit}`, run: () => step(-1) },
    y: mayExplain && data ? { what: 'Why not? Explain a time', run: whyNot } : undefined,
    b: mayBlock && data ? { what: 'Block time', run: block } : undefined,
    v: onMonth && { what: 'Month view', run: onMonth },
    'Ctrl+p': data && { what: 'Print', run: print },
    ...Object.fromEntries(PANELS.map((kind) => [PANEL_KEYS[kind], keyed(kind)])),
  });
  const dayTitle = (of: string) => dayName(instantOf(of, 12 * 60, zone), zone, now);
  const title = employeeId ? `${nameOf(employeeId) || 'Employee'}’s week` : dayTitle(day);
  const navigation = {
    day,
    employees,
    employeeId,
    onDay: goTo,
    onStep: step,
    onToday: () => goTo(today),
    onEmployee: (employee: string) => show({ employee, panel: '' }),
  };
  const menu = {
    panels,
    counts,
    onPanel: togglePanel,
    onFind: find,
    onWhyNot: data && mayExplain ? whyNot : undefined,
    onBlock: data && mayBlock ? block : undefined,
    onPrint: data && print,
    onMonth,
  };
  const ofService = {
    services: [...(data?.catalogue.values() ?? [])],
    serviceId: service?.id ?? '',
    onService: (service: string) => show({ service }, true),
  };
  const ofAbsent = { absent, absentShown, onAbsent: setAbsentShown };
  const known = { businessId, zone, role, columns, employees: employees ?? [] };

  return (
    <Page
      title="Schedule"
      slim={compact}
      tab={`${title} · Schedule`}
      lead={
        <Stack direction="row" gap="4" wrap="wrap" align="center" aria-live="polite">
          <Text as="span" color="fg" fontWeight="550" fontSize="1.0625rem">
            {mine && 'My day: '}
            {title}
            {employeeId
              ? `, ${datesText(days[0] ?? day, days.at(-1) ?? day)}`
              : NEARBY.test(title) && `, ${shortDayText(day)}`}
          </Text>
          {!compact && <ZoneNote zone={zone} />}
        </Stack>
      }
      action={
        compact ? (
          <CompactToolbar
            {...navigation}
            {...ofService}
            {...menu}
            {...ofAbsent}
            density={density}
            onDensity={setDensity}
          />
        ) : wide ? (
          <Toolbar {...navigation} density={density} onDensity={setDensity} toMonth={toMonth} />
        ) : (
          <PhoneToolbar
            {...navigation}
            {...menu}
            mine={mine}
            onWhose={(whose) => show({ whose, employee: '' })}
          />
        )
      }
    >
      {wide && !compact && data && (
        <DayTools
          {...ofService}
          {...ofAbsent}
          panels={panels}
          panel={panel}
          counts={counts}
          onPanel={togglePanel}
          onFind={find}
          onWhyNot={mayExplain ? whyNot : undefined}
          onBlock={mayBlock ? block : undefined}
          onPrint={print}
        />
      )}
      {compact && <ZoneNote zone={zone} />}
      {Boolean(free.error) && (
        <Note tone="warn" icon={CloudOff}>
          Where {service?.name ?? 'this service'} is free can’t be shown. {messageOf(free.error)}
        </Note>
      )}
      <Doubts sources={sources} zone={zone} />
      <Reading query={query} what="The schedule" framed missingIsPage skeleton={<DaySkeleton />}>
        {() =>
          shown ? (
            <Flex gap="4" align="flex-start">
              <Box flex="1" minWidth="0">
                <DayBody
                  data={shown}
                  columns={drawn}
                  days={days}
                  employeeId={employeeId}
                  mine={mine === true}
                  label={title}
                  today={today}
                  density={density}
                  wide={wide}
                  role={role}
                  starts={free.starts}
                  ghosts={ghosts}
                  actions={actions}
                  dayTitle={dayTitle}
                  onAway={
                    may(ProposalAccess.reportAbsence, role)
                      ? (column) =>
                          setOpened({ kind: 'away', day: column.day, employeeId: column.employeeId })
                      : undefined
                  }
                  onOpen={setVisitId}
                  onMove={moveCard}
                  onResize={resize}
                />
              </Box>
              <Suspense>
                {panel && panels.includes(panel) && (
                  <DayBeside
                    {...known}
                    kind={panel}
                    day={day}
                    today={today}
                    visits={shown.visits}
                    catalogue={shown.catalogue}
                    stranded={stranded}
                    onOpen={setVisitId}
                    onClose={() => togglePanel(undefined)}
                  />
                )}
              </Suspense>
            </Flex>
          ) : (
            <DaySkeleton />
          )
        }
      </Reading>
      <AsOf sources={sources} zone={zone} />
      <DayOverlays
        businessId={businessId}
        zone={zone}
        role={role}
        visitId={visitId}
        opened={opened}
        columns={columns}
        data={shown}
        onMove={move}
        onCreate={onCreate}
        onVisit={(id) => {
          setVisitId(id);
          if (!id && address.visitId) show({ visit: '' }, true);
        }}
        onOpen={setOpened}
      />
      {question}
      {shown && sheet}
    </Page>
  );
}
