import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import {
  CalendarClock,
  CalendarDays,
  CalendarRange,
  History,
  type LucideIcon,
  Scissors,
  Users,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import { may } from '../api/access';
import { latestQuery, upcomingQuery } from '../appointments/queries';
import { bookableServicesQuery } from '../booking/queries';
import { NUMBER_HIDDEN } from '../business/contact-policy';
import { employeesQuery } from '../business/queries';
import { useZone } from '../business/use-zone';
import { customersLike } from '../customers/queries';
import { servicesOf, whenAndWho } from '../day/naming';
import { saysAll } from '../finding/words';
import { AppointmentAccess, CustomerAccess } from '../gen/access';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { ListCustomerAppointmentsResponse } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { businessDestinations } from '../layout/destinations';
import { paths } from '../paths';
import { shortDayText } from '../time/local-day';
import { dayKey } from '../time/zoned';
import { Avatar } from '../ui/avatar';
import type { Option } from '../ui/combobox';
import { phoneText } from '../ui/phone';
import { askedDays } from './asked-day';
import { useVisitsOn } from './use-visits-on';

/** As long as a word takes to type at a desk. */
const PAUSE_MS = 120;
const MOST_CUSTOMERS = 6;
/** Of more customers than these, only the next visit of each is shown: their names are to fit on one screen. */
const FEW_CUSTOMERS = 3;
const VISITS_EACH = 3;
const PAST_EACH = 2;
const VISITS_ON_DAY = 6;
const MOST_OTHERS = 4;
const ICON = 20;

/** What is found, each with the address that it leads to, or the visit that it opens. */
export type Found = {
  options: (Option & ({ to: string } | { visitId: string }))[];
  note: string | undefined;
};

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

/** Customers, their visits of any date, days, employees, services and pages that a text may mean. */
export function useFound(businessId: string, role: string, text: string): Found {
  const zone = useZone(businessId);
  const typed = text.trim();
  const asked = usePaused(typed);
  const mayFind = may(CustomerAccess.listCustomers, role);
  const today = dayKey(new Date(), zone);
  const customers = useQuery({
    ...customersLike(businessId, asked, MOST_CUSTOMERS),
    enabled: mayFind && asked !== '',
    placeholderData: keepPreviousData,
  });
  const onDays = useVisitsOn(businessId, role, askedDays(asked, today), zone);
  // "Sun Li" is a name, although it begins with a day.
  const isWhole = onDays.name === '' || (customers.data?.customers.length ?? 0) > 0;
  const { query, found } = isWhole
    ? { query: asked, found: customers.data }
    : { query: onDays.name, found: onDays.customers };
  const people = (asked && typed && found?.customers.slice(0, MOST_CUSTOMERS)) || [];
  const few = people.length <= FEW_CUSTOMERS;
  const visits = useQueries({
    queries: people.map(({ id }) => ({
      ...upcomingQuery(businessId, id),
      enabled: may(AppointmentAccess.listCustomerAppointments, role),
    })),
  });
  const past = useQueries({
    queries: (few ? people : []).map(({ id }) => ({
      ...latestQuery(businessId, id),
      enabled: may(AppointmentAccess.listCustomerAppointments, role),
    })),
  });
  const services = useQuery(bookableServicesQuery(businessId)).data?.services ?? [];
  const employees = useQuery(employeesQuery(businessId)).data?.employees ?? [];

  if (!typed) return { options: [], note: undefined };
  const { days, rest } = askedDays(typed, today) ?? { days: [], rest: '' };
  const dated = rest && rest === onDays.name ? onDays.visits.slice(0, VISITS_ON_DAY) : [];
  // "Mia Friday" and "colour Friday": on that day.
  const [day] = days;
  const date = day && rest ? { date: day } : undefined;
  const isNamed = (name: string) => saysAll(name, typed) || (date !== undefined && saysAll(name, rest));
  const isListed = ({ id }: Appointment) => dated.some((visit) => visit.id === id);
  const schedule = (search: Record<string, string>) =>
    `${paths.schedule(businessId)}?${new URLSearchParams(search)}`;
  const visitOption = (visit: Appointment, detail: string, Icon: LucideIcon) => ({
    key: visit.id,
    visitId: visit.id,
    text: whenAndWho(visit, zone),
    detail,
    icon: <Icon size={ICON} aria-hidden />,
  });
  const others = [
    ...businessDestinations(businessId, role)
      .filter(({ label }) => saysAll(label, typed))
      .map(({ label, to, icon: Icon }) => ({
        key: to,
        to,
        text: label,
        detail: 'Page',
        icon: <Icon size={ICON} aria-hidden />,
      })),
    ...employees
      .filter(({ name }) => isNamed(name))
      .map(({ id, name }) => ({
        key: `employee ${id}`,
        to: schedule({ employee: id, ...date }),
        text: name,
        detail: 'Employee, the week',
        icon: <Avatar name={name} size="28px" />,
      })),
    ...services
      .filter(({ name }) => isNamed(name))
      .map(({ id, name }) => ({
        key: `service ${id}`,
        to: schedule({ service: id, ...date }),
        text: name,
        detail: 'Free times for this service',
        icon: <Scissors size={ICON} aria-hidden />,
      })),
  ].slice(0, MOST_OTHERS);
  const options = [
    ...dated.map((visit) =>
      visitOption(visit, `${visit.customerName} · ${servicesOf(visit)}`, CalendarClock),
    ),
    ...days.map((day) => ({
      key: day,
      to: schedule({ date: day }),
      text: shortDayText(day),
      detail: 'Schedule of that day',
      icon: <CalendarDays size={ICON} aria-hidden />,
    })),
    ...people.flatMap(({ id, name, phone, email, contactHidden }, index) => [
      {
        key: id,
        to: paths.customer(businessId, id),
        text: name,
        detail: phone ? phoneText(phone) : email || (contactHidden ? NUMBER_HIDDEN : 'No phone number'),
        icon: <Avatar name={name} size="28px" />,
      },
      ...(visits[index]?.data?.appointments ?? [])
        .slice(0, few ? VISITS_EACH : 1)
        .filter((visit) => !isListed(visit))
        .map((visit) => visitOption(visit, `${name} · ${servicesOf(visit)}`, CalendarClock)),
      ...(past[index]?.data?.appointments ?? [])
        .slice(0, PAST_EACH)
        .filter((visit) => !isListed(visit))
        .map((visit) => visitOption(visit, `${name} · ${servicesOf(visit)} · past`, History)),
      ...(few && (hasMore(visits[index]?.data, VISITS_EACH) || hasMore(past[index]?.data, PAST_EACH))
        ? [
            {
              key: `visits of ${id}`,
              to: paths.customer(businessId, id),
              text: `All visits of ${name}`,
              detail: 'Upcoming, cancelled and past',
              icon: <CalendarRange size={ICON} aria-hidden />,
            },
          ]
        : []),
    ]),
    ...(people.length > 0 && (found?.nextPageToken || (found?.customers.length ?? 0) > people.length)
      ? [
          {
            key: 'more customers',
            to: `${paths.customers(businessId)}?${new URLSearchParams({ q: query })}`,
            text: `More customers for “${query}”`,
            detail: `The first ${people.length} are shown here`,
            icon: <Users size={ICON} aria-hidden />,
          },
        ]
      : []),
    ...others,
  ];
  const looking = mayFind && (asked !== typed || customers.isFetching || onDays.looking);
  const failed = customers.isError || onDays.failed;
  const without =
    !isWhole && dated.length === 0
      ? `No visit of “${rest}” on ${days.map(shortDayText).join(' or ')}.`
      : undefined;
  return { options, note: noteOf({ looking, failed, typed, count: options.length }) ?? without };
}

/** Whether a customer has more visits than the search shows. */
const hasMore = (answer: ListCustomerAppointmentsResponse | undefined, shown: number): boolean =>
  answer !== undefined && (answer.appointments.length > shown || answer.nextPageToken !== '');

type Looked = { looking: boolean; failed: boolean; typed: string; count: number };

function noteOf({ looking, failed, typed, count }: Looked): string | undefined {
  if (looking) return 'Searching…';
  if (failed) return 'Customers can’t be searched right now.';
  return count === 0 ? `Nothing found for “${typed}”.` : undefined;
}
