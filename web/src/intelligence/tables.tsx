import { Stack } from '@chakra-ui/react';
import { Card } from '../ui/card';
import { moneyText } from '../ui/money';
import { Table } from '../ui/table';
import { Muted } from '../ui/text';
import type { Demand } from './demand';
import { currenciesOf, type Figure, kept, noShowRate, overrun, worthIn } from './figures';
import { byText } from './sheets';
import { count, daysText, hours, minutesMore, percent } from './wording';

type TablesProps = { figures: Figure[]; demand: Demand[] };

/** The same as the charts, number for number. */
export function Tables({ figures, demand }: TablesProps) {
  return (
    <Stack gap="6">
      <Card title="Services" flush>
        <ServiceTable figures={figures} />
      </Card>
      <Card title="Unmet demand" flush>
        {demand.length === 0 ? (
          <Muted px={{ base: '4', sm: '6' }} pb="4">
            Every search found an offer.
          </Muted>
        ) : (
          <Table label="Searches without an offer">
            <thead>
              <tr>
                <th scope="col">Services</th>
                <th scope="col">When</th>
                <th scope="col" data-figures>
                  Searches
                </th>
              </tr>
            </thead>
            <tbody>
              {demand.map(({ key, name, when, searches }) => (
                <tr key={key}>
                  <th scope="row">{name}</th>
                  <td>{when}</td>
                  <td data-figures>{count(searches)}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
      </Card>
    </Stack>
  );
}

function ServiceTable({ figures }: { figures: Figure[] }) {
  const currencies = currenciesOf(figures);
  return (
    <Table label="Figures of each service" wordy paired>
      <thead>
        <tr>
          <th scope="col">Service</th>
          <th scope="col" data-figures>
            Booked
          </th>
          <th scope="col" data-figures>
            Completed
          </th>
          <th scope="col" data-figures>
            Cancelled
          </th>
          <th scope="col" data-figures>
            No-shows
          </th>
          {currencies.map((currency) => (
            <th key={currency} scope="col" data-figures>
              Booked value
            </th>
          ))}
          <th scope="col" data-figures>
            Time booked
          </th>
          <th scope="col" data-figures>
            Compared with plan
          </th>
          <th scope="col" data-figures>
            Booked again after
          </th>
          <th scope="col">By</th>
        </tr>
      </thead>
      <tbody>
        {figures.map((figure) => (
          <Row key={figure.id} figure={figure} currencies={currencies} />
        ))}
      </tbody>
    </Table>
  );
}

function Row({ figure, currencies }: { figure: Figure; currencies: string[] }) {
  const { name, booked, completed, cancelled, noShows, plannedMinutes, measured, rebooking } = figure;
  const [rate, more] = [noShowRate(figure), overrun(figure)];
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-figures data-label="Booked">
        {count(booked)}
      </td>
      <td data-figures data-label="Completed">
        {count(completed)}
      </td>
      <td data-figures data-label="Cancelled">
        {count(cancelled)}
      </td>
      <td data-figures data-label="No-shows">
        {count(noShows)}
        {rate !== undefined && noShows > 0 && ` (${percent(rate)})`}
      </td>
      {currencies.map((currency) => (
        <td key={currency} data-figures data-label="Booked value">
          {moneyText(worthIn(figure, currency), currency)}
        </td>
      ))}
      <td data-figures data-label="Time booked">
        {hours(plannedMinutes)}
      </td>
      <td data-figures data-label="Compared with plan">
        {more === undefined ? 'not timed' : `${minutesMore(more)} (${count(measured.visits)})`}
      </td>
      <td data-figures data-label="Booked again after">
        {rebooking ? `${daysText(rebooking.days)} (${count(rebooking.pairs)})` : 'not yet'}
      </td>
      <td data-label="By">{kept(figure) > 0 && byText(figure)}</td>
    </tr>
  );
}
