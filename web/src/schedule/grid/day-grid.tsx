import { Box, chakra } from '@chakra-ui/react';
import { UserX } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useLayoutEffect, useMemo, useRef } from 'react';
import { Link } from 'react-router';
import { type Column, loadText, shownHours } from '../../day/columns';
import { firstInSight, workOf } from '../../day/first-in-sight';
import type { Destination } from '../../day/move-visit';
import { neighbourOf } from '../../day/neighbours';
import { minuteText } from '../../day/opening';
import type { Span } from '../../day/spans';
import type { Catalogue, VisitCard } from '../../day/visit-cards';
import type { Appointment } from '../../gen/frontdesk/scheduling/v1/appointment_pb';
import { minuteOn, shortDayText } from '../../time/local-day';
import { dayKey } from '../../time/zoned';
import { FOOTING } from '../../ui/use-footing';
import { useLow } from '../../ui/use-width';
import { DragArea } from '../drag/drag-area';
import { GESTURE_STYLES } from '../drag/gesture-styles';
import { ColumnBody, type FreeActions } from './column-body';
import { type Density, pxPerMinute, snapOf } from './density';
import { GRID_STYLES } from './grid-styles';
import { ABOVE, useAbove } from './use-above';
import type { FreeStarts } from './use-free-starts';
import type { Ghosts } from './use-ghosts';
import { VISIT_STYLES } from './visit-styles';

const AXIS_WIDTH = '56px';

const STYLES = { ...GRID_STYLES, ...VISIT_STYLES, ...GESTURE_STYLES };

const Scroller = chakra('section', {
  base: {
    position: 'relative',
    overflow: 'auto',
    // The day has what the header, the tools and a phone's navigation leave; at 200 % that is little.
    maxHeight: {
      base: 'max(15rem, calc(100dvh - 188px))',
      md: 'max(20rem, calc(100dvh - 172px))',
      lg: `max(26rem, calc(100dvh - ${ABOVE} - ${FOOTING} - 1rem))`,
    },
    bg: 'bg.card',
    border: '1px solid',
    borderColor: 'line',
    borderRadius: 'card',
    boxShadow: 'card',
    overscrollBehavior: 'contain',
  },
});

type GridProps = {
  columns: Column[];
  /** Over each column; leads on where there is somewhere to go. */
  titleOf: (column: Column) => { text: string; to?: string; current?: boolean };
  label: string;
  catalogue: Catalogue;
  zone: string;
  density: Density;
  draggable: boolean;
  /** When a chosen service could start. */
  starts: FreeStarts | undefined;
  /** What a proposal would change. */
  ghosts: Ghosts;
  actions: FreeActions;
  /** Reports an employee away on the column's day; absent where that makes no sense. */
  awayOf: (column: Column) => (() => void) | undefined | false;
  onOpen: (appointmentId: string) => void;
  onMove: (card: VisitCard, to: Destination) => void;
  onResize: (appointment: Appointment, minutes: number) => void;
};

/** About as many columns as a screen has room for: they come first, the others as soon as there is time. */
const FIRST_COLUMNS = 8;

/** Columns side by side on one clock. */
export function DayGrid(props: GridProps) {
  const { columns, titleOf, label, catalogue, zone, density, draggable, starts, ghosts, actions } = props;
  const { awayOf, onOpen, onMove, onResize } = props;
  const drawn = useDeferredValue(columns.length, FIRST_COLUMNS);
  const scroller = useRef<HTMLElement>(null);
  const hours = useMemo(() => shownHours(columns), [columns]);
  const low = useLow();
  const scale = { pxPerMinute: pxPerMinute(density, low), snap: snapOf(density) };
  const firstKey = columns.find(({ cards }) => cards.length > 0)?.cards[0]?.key ?? '';
  const height = (hours.to - hours.from) * scale.pxPerMinute;
  useOneTabStop(scroller, columns, drawn);
  useAbove(scroller);
  useOpenedAtNow(scroller, columns, zone, hours, scale.pxPerMinute);

  const onKeyDown = (event: KeyboardEvent) => {
    // While a card is dragged, the arrow keys move it.
    if (event.defaultPrevented || scroller.current?.querySelector('[data-dragged]')) return;
    const key = (event.target as HTMLElement).dataset.card;
    const next = key && neighbourOf(columns, key, event.key);
    if (!next) return;
    event.preventDefault();
    cardElement(scroller.current, next.key)?.focus();
  };

  return (
    <Scroller
      ref={scroller}
      aria-label={label}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={(event) => takeTabStop(scroller.current, event.target as HTMLElement)}
    >
      <Box
        display="grid"
        minWidth="fit-content"
        css={STYLES}
        style={{
          gridTemplateColumns: `${AXIS_WIDTH} repeat(${columns.length}, minmax(148px, 1fr))`,
          gridTemplateRows: `auto ${height}px`,
        }}
      >
        <div className="heads">
          <div className="column-head corner" aria-hidden>
            {new Set(columns.map(({ day }) => day)).size === 1 && <CornerDay day={columns[0]?.day ?? ''} />}
          </div>
          {columns.map((column) => (
            <ColumnHead key={column.key} column={column} {...titleOf(column)} onAway={awayOf(column)} />
          ))}
        </div>
        <Axis hours={hours} pxPerMinute={scale.pxPerMinute} />
        <DragArea
          columns={columns}
          catalogue={catalogue}
          zone={zone}
          hours={hours}
          scale={scale}
          scroller={scroller}
          onMove={onMove}
        >
          {columns.slice(0, drawn).map((column, index) => (
            <ColumnBody
              key={column.key}
              column={column}
              index={index}
              label={titleOf(column).text}
              hours={hours}
              pxPerMinute={scale.pxPerMinute}
              snap={scale.snap}
              zone={zone}
              draggable={draggable}
              firstKey={firstKey}
              starts={starts?.get(column.key)}
              ghosts={ghosts.get(column.key)}
              actions={actions}
              onOpen={onOpen}
              onResize={onResize}
            />
          ))}
        </DragArea>
      </Box>
    </Scroller>
  );
}

/** The weekday over the date: an enlarged screen has no room for them elsewhere. */
function CornerDay({ day }: { day: string }) {
  const [weekday, ...date] = shortDayText(day).split(' ');
  return (
    <>
      <span className="weekday">{weekday}</span>
      <span className="date">{date.join(' ')}</span>
    </>
  );
}

type HeadProps = {
  column: Column;
  text: string;
  to?: string;
  current?: boolean;
  onAway: (() => void) | undefined | false;
};

function ColumnHead({ column, text, to, current = false, onAway }: HeadProps) {
  const load = loadText(column);
  return (
    <div className="column-head">
      <span className={current ? 'name current' : 'name'} title={text}>
        {to ? <Link to={to}>{text}</Link> : text}
      </span>
      <span className="load">
        {load.text}
        {load.unit && <span className="unit">{load.unit}</span>}
      </span>
      {onAway && (
        <button
          type="button"
          className="away-button"
          aria-label={`${text}: absence or closure`}
          title="Absence or closure"
          onClick={onAway}
        >
          <UserX size={16} aria-hidden />
        </button>
      )}
    </div>
  );
}

function Axis({ hours, pxPerMinute }: { hours: Span; pxPerMinute: number }) {
  const marks = Array.from({ length: (hours.to - hours.from) / 60 }, (_, index) => hours.from + index * 60);
  return (
    <div className="axis" aria-hidden>
      {marks.map((minute) => (
        <span key={minute} style={{ top: (minute - hours.from) * pxPerMinute }}>
          {minuteText(minute)}
        </span>
      ))}
    </div>
  );
}

const cardElement = (within: HTMLElement | null, key: string) =>
  within?.querySelector<HTMLElement>(`[data-card="${CSS.escape(key)}"]`);

/** Tab stops at one card only, and arrows move on from there: a day has two hundred cards. */
function takeTabStop(within: HTMLElement | null, card: HTMLElement): void {
  if (!card.dataset.card) return;
  for (const other of within?.querySelectorAll<HTMLElement>('[data-card][tabindex="0"]') ?? []) {
    other.tabIndex = -1;
  }
  card.tabIndex = 0;
}

/** Today, or the week it is in, begins at the present, or at night at the work nearest to it, once; after that people scroll. */
function useOpenedAtNow(
  within: { current: HTMLElement | null },
  columns: readonly Column[],
  zone: string,
  hours: Span,
  pxPerMinute: number,
): void {
  const opened = useRef('');
  useLayoutEffect(() => {
    const grid = within.current;
    const first = columns[0]?.day;
    if (!first || !grid || opened.current === first) return;
    opened.current = first;
    const now = new Date();
    const today = dayKey(now, zone);
    const at = columns.findIndex(({ day }) => day === today);
    if (at < 0) return;
    const heads = grid.querySelector<HTMLElement>('.heads')?.offsetHeight ?? 0;
    const work = workOf(columns.filter(({ day }) => day === today));
    const minute = firstInSight(minuteOn(now, today, zone), work, (grid.clientHeight - heads) / pxPerMinute);
    grid.scrollTop = (minute - hours.from) * pxPerMinute;
    const [left = 0, column = 0] = [0, at].map(
      (index) => grid.querySelector(`[data-column="${index}"]`)?.getBoundingClientRect().left,
    );
    grid.scrollLeft = column - left;
  }, [within, columns, zone, hours, pxPerMinute]);
}

/** If the tab stop's card is gone, the first card becomes the tab stop. */
function useOneTabStop(
  within: { current: HTMLElement | null },
  columns: readonly Column[],
  drawn: number,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns, other cards
  useLayoutEffect(() => {
    const cards = within.current?.querySelectorAll<HTMLElement>('[data-card]') ?? [];
    const [first] = cards;
    if (first && ![...cards].some(({ tabIndex }) => tabIndex === 0)) first.tabIndex = 0;
  }, [within, columns, drawn]);
}
