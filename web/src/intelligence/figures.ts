import type { ServiceReport } from '../gen/frontdesk/scheduling/v1/intelligence_pb';

type Money = { currency: string; minor: number };
export type Person = { id: string; name: string; visits: number };
/** Minutes of visits of which it is known how long they took. */
type Measured = { visits: number; planned: number; actual: number };

/** The figures of one service, or of all, in some dates. */
export type Tally = {
  booked: number;
  completed: number;
  cancelled: number;
  noShows: number;
  plannedMinutes: number;
  value: Money[];
  measured: Measured;
};

/** A service and its figures. */
export type Figure = Tally & {
  id: string;
  name: string;
  category: string;
  /** Whether it is sold now. */
  current: boolean;
  /** The median of days until a customer has it again. */
  rebooking: { days: number; pairs: number } | undefined;
  people: Person[];
};

const NOTHING: Tally = {
  booked: 0,
  completed: 0,
  cancelled: 0,
  noShows: 0,
  plannedMinutes: 0,
  value: [],
  measured: { visits: 0, planned: 0, actual: 0 },
};

/** What the contract reports, by services that are sold now (and their categories), the most booked first. */
export function figuresOf(reports: ServiceReport[], categories: Map<string, string>): Figure[] {
  return reports
    .map((report) => ({
      id: report.serviceId,
      name: report.serviceName,
      category: categories.get(report.serviceId) ?? '',
      current: categories.has(report.serviceId),
      booked: Number(report.booked),
      completed: Number(report.completed),
      cancelled: Number(report.cancelled),
      noShows: Number(report.noShows),
      plannedMinutes: Number(report.plannedMinutes),
      value: report.value.map(({ currency, minor }) => ({ currency, minor: Number(minor) })),
      measured: {
        visits: Number(report.measured?.visits ?? 0),
        planned: Number(report.measured?.plannedMinutes ?? 0),
        actual: Number(report.measured?.actualMinutes ?? 0),
      },
      rebooking:
        report.rebookingDays === undefined
          ? undefined
          : { days: report.rebookingDays, pairs: Number(report.rebookings) },
      people: report.employees.map(({ employeeId, employeeName, visits }) => ({
        id: employeeId,
        name: employeeName || 'Former employee',
        visits: Number(visits),
      })),
    }))
    .sort((one, other) => other.booked - one.booked || one.name.localeCompare(other.name));
}

/** All together. A visit with two services counts for both, as it does in the parts. */
export function totalOf(figures: Tally[]): Tally {
  return figures.reduce(
    (sum, one) => ({
      booked: sum.booked + one.booked,
      completed: sum.completed + one.completed,
      cancelled: sum.cancelled + one.cancelled,
      noShows: sum.noShows + one.noShows,
      plannedMinutes: sum.plannedMinutes + one.plannedMinutes,
      value: together(sum.value, one.value),
      measured: {
        visits: sum.measured.visits + one.measured.visits,
        planned: sum.measured.planned + one.measured.planned,
        actual: sum.measured.actual + one.measured.actual,
      },
    }),
    NOTHING,
  );
}

function together(some: Money[], more: Money[]): Money[] {
  const sums = new Map(some.map(({ currency, minor }) => [currency, minor]));
  for (const { currency, minor } of more) sums.set(currency, (sums.get(currency) ?? 0) + minor);
  return [...sums].map(([currency, minor]) => ({ currency, minor }));
}

export const worthIn = ({ value }: Tally, currency: string) =>
  value.find((money) => money.currency === currency)?.minor ?? 0;

/** Currencies that anything was booked for, the one of most services first. */
export function currenciesOf(figures: Tally[]): string[] {
  const uses = new Map<string, number>();
  for (const { value } of figures)
    for (const { currency, minor } of value) if (minor > 0) uses.set(currency, (uses.get(currency) ?? 0) + 1);
  return [...uses].sort(([, one], [, other]) => other - one).map(([currency]) => currency);
}

/** Visits that were not cancelled. */
export const kept = ({ booked, cancelled }: Tally) => booked - cancelled;

/** The share of no-shows among visits that were not cancelled, 0 to 1; undefined without such visits. */
export const noShowRate = (tally: Tally) => share(tally.noShows, kept(tally));

/** Minutes a visit took longer than planned, on average; undefined where no visit says. */
export function overrun({ measured: { visits, planned, actual } }: Tally): number | undefined {
  return visits === 0 ? undefined : (actual - planned) / visits;
}

export const share = (part: number, whole: number) => (whole === 0 ? undefined : part / whole);

/** Who did how much of these services, the busiest first. */
export function peopleOf(figures: Figure[]): (Person & { services: { name: string; visits: number }[] })[] {
  const people = new Map<string, Person & { services: { name: string; visits: number }[] }>();
  for (const { name: service, people: those } of figures) {
    for (const { id, name, visits } of those) {
      const person = people.get(id) ?? { id, name, visits: 0, services: [] };
      person.visits += visits;
      person.services.push({ name: service, visits });
      people.set(id, person);
    }
  }
  for (const { services } of people.values()) services.sort((one, other) => other.visits - one.visits);
  return [...people.values()].sort((one, other) => other.visits - one.visits);
}
