import { Box, type SystemStyleObject } from '@chakra-ui/react';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { MonthDay } from '../../gen/frontdesk/scheduling/v1/day_pb';
import { longDayText } from '../../time/day-text';
import { dayByKey, loadOf, monthOf, visitsText, weeksOf } from './month-days';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const STYLES: SystemStyleObject = {
  width: '100%',
  tableLayout: 'fixed',
  borderCollapse: 'collapse',
  '& th': {
    py: '2',
    fontSize: '0.8125rem',
    fontWeight: '600',
    color: 'fg.muted',
    textAlign: 'start',
    px: '2',
  },
  '& td': { border: '1px solid', borderColor: 'line', p: '0', height: '1px', verticalAlign: 'top' },
  '& td:first-of-type': { borderInlineStart: 'none' },
  '& td:last-of-type': { borderInlineEnd: 'none' },
  '& tr:last-of-type td': { borderBottom: 'none' },
  '& td.other': { bg: 'bg.sunken' },
  '& a': {
    display: 'flex',
    flexDirection: 'column',
    gap: '1',
    height: '100%',
    minHeight: { base: '4.75rem', md: '6.25rem' },
    px: { base: '1', sm: '2' },
    py: '1.5',
    color: 'fg',
    textDecoration: 'none',
    fontVariantNumeric: 'tabular-nums',
    _hover: { bg: 'bg.hover' },
    _focusVisible: { outlineOffset: '-3px' },
  },
  '& .closed a': { color: 'fg.muted', bg: 'bg.sunken' },
  '& .number': { fontWeight: '600', lineHeight: '1.75rem', width: '1.75rem', textAlign: 'center' },
  '& a[aria-current] .number': { borderRadius: 'full', bg: 'brand.solid', color: 'white' },
  '& .bar': { height: '6px', borderRadius: 'full', bg: 'line', overflow: 'clip' },
  '& .bar > span': { display: 'block', height: '100%', bg: 'brand.solid' },
  '& .text': {
    fontSize: { base: '0.75rem', md: '0.8125rem', lg: '0.875rem' },
    fontWeight: '550',
    overflowWrap: 'anywhere',
    lineHeight: '1.3',
  },
  '& .visits': { fontSize: '0.8125rem', color: 'fg.muted', lineHeight: '1.3' },
  // A phone has room for the figure alone; what is left out is heard.
  '& .wide': { srOnly: { base: true, md: false } },
  '& .heard': { srOnly: true },
};

type MonthGridProps = {
  /** As "2026-12". */
  month: string;
  /** The day that Tab comes to. */
  day: string;
  today: string;
  /** None while they are read: the days stand already. */
  loads: readonly MonthDay[] | undefined;
  label: string;
  toDay: (day: string) => string;
  /** An arrow leads into another month. */
  onDay: (day: string) => void;
};

/** A month as a calendar: each day a link to it, arrows from day to day. */
export function MonthGrid({ month, day, today, loads, label, toDay, onDay }: MonthGridProps) {
  const grid = useRef<HTMLTableElement>(null);
  const [reached, setReached] = useState(day);
  // Another month begins at its own day.
  const stop = monthOf(reached) === month ? reached : day;
  const entered = useRef('');
  useLayoutEffect(() => {
    if (monthOf(entered.current) !== month) return;
    focusOn(grid.current, entered.current);
    entered.current = '';
  }, [month]);
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys pressed while another month is on its way lead on from the day that it begins at.
    const from = entered.current || (event.target as HTMLElement).dataset.day;
    const to = from && !event.altKey && !event.ctrlKey && !event.metaKey && dayByKey(from, event.key);
    if (!to) return;
    event.preventDefault();
    setReached(to);
    if (monthOf(to) === month) {
      if (entered.current) onDay(to);
      entered.current = '';
      return focusOn(grid.current, to);
    }
    entered.current = to;
    onDay(to);
  };
  const byDate = new Map(loads?.map((load) => [load.opening?.date, load]));
  return (
    <Box as="table" ref={grid} aria-label={label} aria-busy={!loads} css={STYLES} onKeyDown={onKeyDown}>
      <thead>
        <tr>
          {WEEKDAYS.map((weekday) => (
            <th key={weekday} scope="col">
              {weekday.slice(0, 3)}
              <span className="heard">{weekday.slice(3)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week, index) => (
          <tr key={`${month}-${index}`}>
            {week.map((date, weekday) =>
              date ? (
                <DayCell
                  key={date}
                  date={date}
                  load={byDate.get(date)}
                  current={date === today}
                  stop={date === stop}
                  to={toDay(date)}
                />
              ) : (
                <td key={weekday} className="other" />
              ),
            )}
          </tr>
        ))}
      </tbody>
    </Box>
  );
}

type CellProps = {
  date: string;
  load: MonthDay | undefined;
  current: boolean;
  stop: boolean;
  to: string;
};

function DayCell({ date, load, current, stop, to }: CellProps) {
  const known = load && loadOf(load);
  const [weekday = '', , ...rest] = longDayText(date).split(' ');
  return (
    <td className={known && known.percent === undefined ? 'closed' : undefined}>
      <Link to={to} data-day={date} tabIndex={stop ? 0 : -1} aria-current={current ? 'date' : undefined}>
        <span className="heard">{weekday} </span>
        <span className="number">{Number(date.slice(8))}</span>
        <span className="heard">
          {' '}
          {rest.join(' ')}
          {current && ', today'}
          {known && ', '}
        </span>
        {known?.percent !== undefined && (
          <span className="bar" aria-hidden>
            <span style={{ width: `${Math.min(100, known.percent)}%` }} />
          </span>
        )}
        {known && (
          <span className="text">
            {known.text}
            <span className="wide">{known.unit}</span>
          </span>
        )}
        {known && (known.visits > 0 || known.percent !== undefined) && (
          <span className="visits wide">
            <span className="heard">, </span>
            {visitsText(known.visits)}
          </span>
        )}
      </Link>
    </td>
  );
}

const focusOn = (within: HTMLElement | null, day: string): void =>
  within?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus();
