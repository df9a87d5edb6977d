import { Box, chakra, Flex, Stack } from '@chakra-ui/react';
import { PencilLine } from 'lucide-react';
import { Link } from 'react-router';
import { RowLink, TextLink } from '../layout/links';
import { LANGUAGE } from '../time/language';
import { Avatar } from '../ui/avatar';
import { Button } from '../ui/button';
import { Surface } from '../ui/card';
import { Figures, Muted, ScreenReaderOnly } from '../ui/text';
import { CellFace } from './cell-face';
import { type Cell, cellWords } from './cells';
import { CoverageStrip } from './coverage-strip';
import { hoursText } from './hours';
import { Legend } from './legend';
import { TEAM_STYLES } from './styles';
import type { TeamWeek } from './team-week';

type DayListProps = {
  week: TeamWeek;
  day: string;
  today: string;
  dayTitle: (day: string) => string;
  /** The same page on another day. */
  toDate: (day: string) => string;
  toDay: (day: string) => string;
  toEmployee: (employeeId: string) => string;
  /** Whether an employee has no hours at all. */
  hasNoHours: (employeeId: string) => boolean;
  onCell: ((cell: Cell) => void) | undefined;
};

/** One day of all employees, for narrow screens. */
export function DayList(props: DayListProps) {
  const { week, day, today, dayTitle, toDate, toDay, toEmployee, hasNoHours, onCell } = props;
  const of = week.days.find((candidate) => candidate.day === day);
  return (
    <Stack gap="4" css={TEAM_STYLES}>
      <chakra.nav
        aria-label="Days of the week"
        display="grid"
        gridTemplateColumns="repeat(7, minmax(0, 1fr))"
      >
        {week.days.map((candidate) => (
          <DayTab
            key={candidate.day}
            to={toDate(candidate.day)}
            aria-current={candidate.day === day ? 'date' : undefined}
            data-today={candidate.day === today || undefined}
          >
            <span>{weekdayText(candidate.day)} </span>
            <Figures fontSize="1.0625rem" fontWeight="650">
              {Number(candidate.day.slice(-2))}
            </Figures>
          </DayTab>
        ))}
      </chakra.nav>
      {of && (
        <Surface p="4">
          <Flex justify="space-between" gap="3" align="baseline" pb="3" wrap="wrap">
            <Muted>
              {of.label && `${of.label}: `}
              {hoursText(of.opening, of.label ? 'closed' : 'Closed')}
            </Muted>
            <TextLink to={toDay(day)} fontSize="0.9375rem">
              To the schedule
            </TextLink>
          </Flex>
          <CoverageStrip day={day} title={dayTitle(day)} hours={of.coverage} most={week.most} />
          <Box mx="-4" mb="-3" mt="1">
            <Legend />
          </Box>
        </Surface>
      )}
      <Surface overflow="hidden">
        <Box as="ul" listStyleType="none" aria-label={`The team, ${dayTitle(day)}`}>
          {week.rows.map(({ person, cells }) => {
            const cell = cells.find((candidate) => candidate.day === day);
            if (!cell) return null;
            return (
              <Flex
                as="li"
                key={person.id}
                position="relative"
                gap="3"
                align="center"
                ps="4"
                pe="2"
                py="3"
                borderTop="1px solid"
                borderColor="line"
                _first={{ borderTop: 'none' }}
              >
                <Avatar name={person.name} size="38px" />
                <Stack gap="1" flex="1" minWidth="0" fontSize="0.875rem">
                  <RowLink to={toEmployee(person.id)}>{person.name}</RowLink>
                  {hasNoHours(person.id) && <Muted fontSize="0.875rem">No hours set</Muted>}
                  <ScreenReaderOnly>{cellWords(cell)}</ScreenReaderOnly>
                  <CellFace alone cell={cell} shown={week.shown} />
                </Stack>
                {onCell && (
                  <Button
                    variant="quiet"
                    position="relative"
                    minWidth="11"
                    px="0"
                    aria-label={`Hours of ${person.name}, ${dayTitle(day)}`}
                    onClick={() => onCell(cell)}
                  >
                    <PencilLine size={18} aria-hidden />
                  </Button>
                )}
              </Flex>
            );
          })}
        </Box>
      </Surface>
    </Stack>
  );
}

const weekday = new Intl.DateTimeFormat(LANGUAGE, { weekday: 'short', timeZone: 'UTC' });
const weekdayText = (day: string) => weekday.format(new Date(`${day}T00:00Z`));

const DayTab = chakra(Link, {
  base: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    justifyContent: 'center',
    minHeight: '14',
    borderRadius: 'button',
    color: 'fg.muted',
    fontSize: '0.8125rem',
    fontWeight: '500',
    textDecoration: 'none',
    '&[data-today]': { color: 'brand.fg' },
    _hover: { bg: 'bg.hover' },
    '&[aria-current]': { bg: 'brand.subtle', color: 'brand.fg', _hover: { bg: 'brand.hover' } },
  },
});
