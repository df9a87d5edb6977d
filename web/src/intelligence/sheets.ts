import { majorText } from '../ui/money';
import { type Cell, csvOf } from './csv';
import type { Demand } from './demand';
import { currenciesOf, type Figure, kept, worthIn } from './figures';

/** The figures of services as a file. */
export function serviceSheet(figures: Figure[]): string {
  const currencies = currenciesOf(figures);
  const heads = [
    'Service',
    'Category',
    'Booked',
    'Completed',
    'Cancelled',
    'No-shows',
    ...currencies.map((currency) => `Booked value (${currency})`),
    'Planned minutes',
    'Measured visits',
    'Planned minutes of these',
    'Actual minutes of these',
    'Days until booked again (median)',
    'Returns measured',
    'By',
  ];
  const rows = figures.map((figure): Cell[] => [
    figure.name,
    figure.category,
    figure.booked,
    figure.completed,
    figure.cancelled,
    figure.noShows,
    ...currencies.map((currency) => Number(majorText(worthIn(figure, currency), currency))),
    figure.plannedMinutes,
    figure.measured.visits,
    ...(figure.measured.visits > 0
      ? [figure.measured.planned, figure.measured.actual]
      : [undefined, undefined]),
    figure.rebooking?.days,
    figure.rebooking?.pairs ?? 0,
    byText(figure),
  ]);
  return csvOf(heads, rows);
}

/** Unmet demand as a file. */
export function demandSheet(demand: Demand[]): string {
  return csvOf(
    ['Services', 'When', 'Searches without an offer'],
    demand.map(({ name, when, searches }) => [name, when, searches]),
  );
}

/** "Mia Larsen 60 %, Noah Adeyemi 40 %": of the visits that were not cancelled. */
export function byText(figure: Figure): string {
  const all = figure.people.reduce((sum, { visits }) => sum + visits, 0);
  if (kept(figure) === 0 || all === 0) return '';
  return figure.people.map(({ name, visits }) => `${name} ${Math.round((visits / all) * 100)} %`).join(', ');
}
