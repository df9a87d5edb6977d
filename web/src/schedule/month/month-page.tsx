import { Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { employeesQuery } from '../../business/queries';
import { useSearch } from '../../finding/use-search';
import { ButtonLink } from '../../layout/links';
import { Page } from '../../layout/page';
import { Reading } from '../../layout/reading';
import { monthText } from '../../time/day-text';
import { isDay } from '../../time/local-day';
import { ZoneNote } from '../../time/zone-note';
import { dayKey } from '../../time/zoned';
import { Button } from '../../ui/button';
import { Surface } from '../../ui/card';
import { SelectField } from '../../ui/select-field';
import { SquareButton } from '../../ui/square-button';
import { Muted, Text } from '../../ui/text';
import { useNow } from '../../ui/use-now';
import { useShortcuts } from '../../ui/use-shortcuts';
import { monthQuery } from '../queries';
import { monthOf, monthsAfter } from './month-days';
import { MonthGrid } from './month-grid';

type MonthPageProps = { businessId: string; zone: string };

/** A month of the salon or of one employee: how full each day is, and the way to it. */
export function MonthPage({ businessId, zone }: MonthPageProps) {
  const today = dayKey(useNow(60_000), zone);
  const [search, changeSearch] = useSearch();
  const navigate = useNavigate();
  const asked = search.get('date');
  const day = isDay(asked) ? asked : today;
  const employeeId = search.get('employee') ?? '';
  const month = monthOf(day);
  const query = useQuery(monthQuery(businessId, month, employeeId));
  const employees = useQuery(employeesQuery(businessId)).data?.employees ?? [];
  const who = employees.find(({ id }) => id === employeeId)?.name ?? '';

  // Keys come faster than pages: the next step goes on from the month that is on its way.
  const coming = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (coming.current === day) coming.current = undefined;
  });
  const goTo = (date: string) => {
    coming.current = date;
    changeSearch((search) => {
      if (date === today) search.delete('date');
      else search.set('date', date);
      return search;
    });
  };
  const step = (months: 1 | -1) => goTo(monthsAfter(coming.current ?? day, months));
  const dayView = (date: string) => {
    const shown = new URLSearchParams({ ...(date !== today && { date }) });
    return `?${shown}`;
  };
  useShortcuts({
    t: { what: 'This month', run: () => goTo(today) },
    j: { what: 'Next month', run: () => step(1) },
    k: { what: 'Previous month', run: () => step(-1) },
    v: { what: 'Day view', run: () => void navigate(dayView(day)) },
  });
  return (
    <Page
      title="Schedule"
      tab={`${monthText(month)} · Schedule`}
      lead={
        <Stack direction="row" gap="4" wrap="wrap" align="center" aria-live="polite">
          <Text as="span" color="fg" fontWeight="550" fontSize="1.0625rem">
            {monthText(month)}
            {who && `, ${who}`}
          </Text>
          <ZoneNote zone={zone} />
        </Stack>
      }
      action={
        <Flex gap="2" wrap="wrap" align="center">
          <Button aria-keyshortcuts="t" onClick={() => goTo(today)}>
            This month
          </Button>
          <Flex>
            <SquareButton label="Previous month" aria-keyshortcuts="k" onClick={() => step(-1)}>
              <ChevronLeft size={20} aria-hidden />
            </SquareButton>
            <SquareButton label="Next month" aria-keyshortcuts="j" onClick={() => step(1)}>
              <ChevronRight size={20} aria-hidden />
            </SquareButton>
          </Flex>
          <ButtonLink variant="quiet" to={dayView(day)} aria-keyshortcuts="v" title="Day view (v)">
            <CalendarDays size={18} aria-hidden />
            Day view
          </ButtonLink>
          <SelectField
            label="Whose month"
            silent
            look="tool"
            maxWidth="15rem"
            value={employeeId}
            onChange={({ currentTarget: { value } }) =>
              changeSearch((search) => {
                if (value) search.set('employee', value);
                else search.delete('employee');
                return search;
              })
            }
          >
            <option value="">Everyone</option>
            {employees.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        </Flex>
      }
    >
      <Reading query={query} what="The month" framed missingIsPage skeleton={null}>
        {() => null}
      </Reading>
      {/* The days stand before their figures are here, and keep the focus from month to month. */}
      {(query.data || !query.error) && (
        <Surface overflow="hidden">
          <MonthGrid
            month={month}
            day={day}
            today={today}
            loads={query.data?.days}
            label={`${monthText(month)}${who && `, ${who}`}`}
            toDay={dayView}
            onDay={goTo}
          />
        </Surface>
      )}
      <Muted fontSize="0.875rem">
        How much of the time that can be booked is booked: working hours without time off, blocked time and
        entries of outside calendars.
      </Muted>
    </Page>
  );
}
