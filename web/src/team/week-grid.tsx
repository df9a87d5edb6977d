import { Box, chakra, Flex, Stack } from '@chakra-ui/react';
import { CalendarCog } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { TextLink } from '../layout/links';
import { shortDayText } from '../time/local-day';
import { Avatar } from '../ui/avatar';
import { Surface } from '../ui/card';
import { Figures, Muted, ScreenReaderOnly, Text } from '../ui/text';
import { CellFace } from './cell-face';
import { type Cell, cellWords } from './cells';
import { CoverageStrip } from './coverage-strip';
import { hoursText, totalText } from './hours';
import { Legend } from './legend';
import { TEAM_STYLES } from './styles';
import type { TeamDay, TeamRow, TeamWeek } from './team-week';

/** Where seven days have room only if their hours take two lines, and people no picture. */
const TIGHT = '@container (max-width: 59rem)';

const Sheet = chakra('table', {
  base: {
    width: '100%',
    minWidth: '59rem',
    tableLayout: 'fixed',
    borderCollapse: 'separate',
    borderSpacing: '0',
    fontSize: '0.8125rem',
    '& :is(th, td)': {
      borderBottom: '1px solid',
      borderColor: 'line',
      verticalAlign: 'top',
      textAlign: 'start',
      fontWeight: '400',
    },
    '& :is(th, td) + :is(th, td)': { borderInlineStart: '1px solid', borderInlineStartColor: 'line' },
    '& [data-today]': { bg: 'color-mix(in srgb, {colors.brand.subtle} 35%, transparent)' },
    [TIGHT]: {
      minWidth: '35rem',
      '& col:first-of-type': { width: '8.5rem' },
      '& tr > :first-child': { px: '3' },
      '& thead tr > :not(:first-child), & tbody td > *': { px: '1.5' },
      '& :is(a, span)': { whiteSpace: 'normal' },
      '& .face': { display: 'none' },
    },
    // Names stay where a narrow window scrolls the days.
    '& tr > :first-child': { position: 'sticky', insetInlineStart: '0', zIndex: '1', bg: 'bg.card' },
  },
});

const CellButton = chakra('button', {
  base: {
    position: 'relative',
    display: 'block',
    width: '100%',
    minHeight: '16',
    px: '2.5',
    py: '2.5',
    textAlign: 'start',
    color: 'fg',
    cursor: 'pointer',
    _hover: { bg: 'bg.hover' },
    _focusVisible: { outlineOffset: '-3px' },
  },
});

type WeekGridProps = {
  label: string;
  week: TeamWeek;
  today: string;
  dayTitle: (day: string) => string;
  toDay: (day: string) => string;
  toEmployee: (employeeId: string) => string;
  /** Whether an employee has no hours at all. */
  hasNoHours: (employeeId: string) => boolean;
  /** Changes an employee's hours on a day; without it the grid is read-only. */
  onCell: ((cell: Cell) => void) | undefined;
};

/** A row per employee, a column per day of the week. */
export function WeekGrid(props: WeekGridProps) {
  const { label, week, today, dayTitle, toDay, toEmployee, hasNoHours, onCell } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const here = Math.max(
    0,
    week.days.findIndex(({ day }) => day === today),
  );
  const [at, setAt] = useState<Place>();
  const stop = at ?? { row: 0, column: here };

  const onKeyDown = (event: KeyboardEvent) => {
    const to = neighbour(stop, event.key, week.rows.length, week.days.length);
    if (!to) return;
    event.preventDefault();
    body.current?.querySelector<HTMLElement>(`[data-place="${to.row}:${to.column}"]`)?.focus();
  };

  return (
    <Surface overflow="hidden">
      <Box
        overflowX="auto"
        // Holds what is only said: it would widen the page.
        position="relative"
        tabIndex={0}
        role="region"
        aria-label={label}
        className="sideways"
        containerType="inline-size"
        css={TEAM_STYLES}
      >
        <Sheet aria-label={label}>
          <colgroup>
            <col width="204" />
            {week.days.map(({ day }) => (
              <col key={day} />
            ))}
          </colgroup>
          <thead>
            <tr>
              <chakra.td p="3" />
              {week.days.map((of) => (
                <DayHead key={of.day} of={of} today={today} title={dayTitle(of.day)} to={toDay(of.day)} />
              ))}
            </tr>
            <tr>
              <chakra.th scope="row" px={{ base: '4', md: '5' }} py="3">
                <Text fontWeight="600" fontSize="0.9375rem">
                  Coverage
                </Text>
                <Muted fontSize="0.8125rem">by the hour</Muted>
              </chakra.th>
              {week.days.map(({ day, coverage }) => (
                <chakra.td key={day} data-today={day === today || undefined} px="2.5" pt="3" pb="2">
                  <CoverageStrip day={day} title={dayTitle(day)} hours={coverage} most={week.most} />
                </chakra.td>
              ))}
            </tr>
          </thead>
          <tbody ref={body} onKeyDown={onCell && onKeyDown}>
            {week.rows.map((row, index) => (
              <tr key={row.person.id}>
                <PersonHead
                  row={row}
                  to={toEmployee(row.person.id)}
                  lacksHours={hasNoHours(row.person.id)}
                  sets={onCell !== undefined}
                />
                {row.cells.map((cell, column) => (
                  <chakra.td key={cell.day} data-today={cell.day === today || undefined}>
                    {onCell ? (
                      <CellButton
                        type="button"
                        data-place={`${index}:${column}`}
                        tabIndex={stop.row === index && stop.column === column ? 0 : -1}
                        onFocus={() => setAt({ row: index, column })}
                        onClick={() => onCell(cell)}
                      >
                        <ScreenReaderOnly>
                          {row.person.name}, {dayTitle(cell.day)}: {cellWords(cell)}
                        </ScreenReaderOnly>
                        <CellFace cell={cell} shown={week.shown} />
                      </CellButton>
                    ) : (
                      <Box px="2.5" py="2.5" minHeight="16">
                        <ScreenReaderOnly>{cellWords(cell)}</ScreenReaderOnly>
                        <CellFace cell={cell} shown={week.shown} />
                      </Box>
                    )}
                  </chakra.td>
                ))}
              </tr>
            ))}
          </tbody>
        </Sheet>
      </Box>
      <Legend />
    </Surface>
  );
}

const DayLink = chakra(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    minHeight: '7',
    color: 'fg',
    fontSize: '0.875rem',
    whiteSpace: 'nowrap',
    fontWeight: '600',
    textDecoration: 'none',
    borderRadius: '4px',
    _hover: { textDecoration: 'underline' },
  },
});

type DayHeadProps = { of: TeamDay; today: string; title: string; to: string };

function DayHead({ of: { day, opening, label }, today, title, to }: DayHeadProps) {
  const current = day === today;
  return (
    <chakra.th
      scope="col"
      px="2.5"
      pt="2.5"
      pb="2"
      data-today={current || undefined}
      aria-current={current ? 'date' : undefined}
    >
      <DayLink to={to} color={current ? 'brand.fg' : 'fg'}>
        {shortDayText(day)}
        <ScreenReaderOnly>, {title}, to the schedule</ScreenReaderOnly>
      </DayLink>
      <Flex as="span" gap="1" align="center" color={label ? 'warn.fg' : 'fg.muted'}>
        {label && <CalendarCog size={14} aria-hidden />}
        <Figures>
          {label && `${label}: `}
          {hoursText(opening, label ? 'closed' : 'Closed')}
        </Figures>
      </Flex>
    </chakra.th>
  );
}

type PersonHeadProps = { row: TeamRow; to: string; lacksHours: boolean; sets: boolean };

function PersonHead({ row: { person, minutes }, to, lacksHours, sets }: PersonHeadProps) {
  return (
    <chakra.th scope="row" px={{ base: '4', md: '5' }} py="2.5">
      <Flex gap="3" align="center">
        <Box className="face" flexShrink="0">
          <Avatar name={person.name} size="34px" />
        </Box>
        <Stack gap="0" minWidth="0">
          <TextLink plain to={to} fontSize="0.9375rem">
            {person.name}
          </TextLink>
          <Muted fontSize="0.8125rem">
            {minutes === 0 && lacksHours ? (
              'No hours set'
            ) : (
              <>
                <ScreenReaderOnly>this week </ScreenReaderOnly>
                {minutes > 0 ? totalText(minutes) : 'Not at work'}
              </>
            )}
          </Muted>
          {minutes === 0 && lacksHours && sets && (
            <TextLink
              to={to}
              aria-label={`Set hours of ${person.name}`}
              fontSize="0.8125rem"
              alignSelf="flex-start"
            >
              Set hours
            </TextLink>
          )}
        </Stack>
      </Flex>
    </chakra.th>
  );
}

type Place = { row: number; column: number };

/** Where an arrow leads; Home and End go along the week. */
function neighbour({ row, column }: Place, key: string, rows: number, columns: number): Place | undefined {
  const within = (value: number, count: number) => Math.min(count - 1, Math.max(0, value));
  switch (key) {
    case 'ArrowLeft':
      return { row, column: within(column - 1, columns) };
    case 'ArrowRight':
      return { row, column: within(column + 1, columns) };
    case 'ArrowUp':
      return { row: within(row - 1, rows), column };
    case 'ArrowDown':
      return { row: within(row + 1, rows), column };
    case 'Home':
      return { row, column: 0 };
    case 'End':
      return { row, column: columns - 1 };
    default:
      return undefined;
  }
}
