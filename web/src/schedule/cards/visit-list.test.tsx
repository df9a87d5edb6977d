// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Column, PlacedCard } from '../../day/columns';
import { AppointmentSchema, AppointmentState } from '../../gen/frontdesk/scheduling/v1/appointment_pb';
import { mount } from '../../testing/mount';
import { VisitList } from './visit-list';

const TODAY = '2026-06-02';

const visit = (customer: string, from: number, state: AppointmentState) =>
  ({
    key: customer,
    from,
    to: from + 30,
    customer,
    services: 'Cut',
    employeeName: 'Mia Larsen',
    appointment: create(AppointmentSchema, { id: customer, state, notes: `Of ${customer}` }),
  }) as PlacedCard;

const column = (day: string, cards: PlacedCard[], working: Column['working'] = []): Column => ({
  key: day,
  day,
  employeeId: 'mia',
  employeeName: 'Mia Larsen',
  own: false,
  working,
  hasOwnHours: false,
  shades: [],
  cards,
});

const Listed = ({ day, cards }: { day: string; cards: PlacedCard[] }) => (
  <VisitList
    days={[day]}
    columns={[column(day, cards)]}
    today={TODAY}
    zone="Europe/London"
    dayTitle={() => 'Today'}
    alone={false}
    onOpen={() => undefined}
    onBlock={() => undefined}
  />
);

/** The list of a day, and a button that completes Ben's visit. */
function Day({ day }: { day: string }) {
  const [ben, setBen] = useState(AppointmentState.BOOKED);
  const cards = [
    visit('Ana', 540, AppointmentState.COMPLETED),
    visit('Ben', 570, ben),
    visit('Cleo', 780, AppointmentState.BOOKED),
  ];
  return (
    <>
      <button type="button" onClick={() => setBen(AppointmentState.COMPLETED)}>
        Complete Ben
      </button>
      <Listed day={day} cards={cards} />
    </>
  );
}

const shown = (day: string) => mount([{ path: '/', element: <Day day={day} /> }], '/');

const customers = () =>
  screen.getAllByRole('listitem').map(({ textContent }) => /Ana|Ben|Cleo/.exec(textContent ?? '')?.[0]);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-06-02T11:00:00Z') });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('says of a day without visits whether anyone works on it', () => {
  const empty = (alone: boolean, working: Column['working']) => {
    const list = (
      <VisitList
        days={[TODAY]}
        columns={[column(TODAY, [], working)]}
        today={TODAY}
        zone="Europe/London"
        dayTitle={() => 'Today'}
        alone={alone}
        onOpen={() => undefined}
        onBlock={() => undefined}
      />
    );
    mount([{ path: '/', element: list }], '/');
    const text = document.body.textContent;
    cleanup();
    return text;
  };
  expect(empty(true, [{ from: 540, to: 1020 }])).toContain('Nothing booked');
  expect(empty(true, [])).toContain('Not working on this day');
  expect(empty(false, [])).toContain('No one works on this day');
});

it('begins with what is left of today, and shows the rest on demand', () => {
  shown(TODAY);
  expect(customers()).toEqual(['Ben', 'Cleo']);
  fireEvent.click(screen.getByRole('button', { name: 'Show 1 earlier' }));
  expect(customers()).toEqual(['Ana', 'Ben', 'Cleo']);
  fireEvent.click(screen.getByRole('button', { name: 'Hide 1 earlier' }));
  expect(customers()).toEqual(['Ben', 'Cleo']);
});

it('keeps a row that was opened when its visit is settled, and folds it later', () => {
  shown(TODAY);
  const row = screen.getByRole('button', { name: /Ben Booked|Ben.*Cut/ });
  row.focus();
  fireEvent.click(row);
  fireEvent.click(screen.getByRole('button', { name: 'Complete Ben' }));
  expect(customers()).toEqual(['Ben', 'Cleo']);
  expect(document.activeElement).toBe(row);
  fireEvent.click(screen.getByRole('button', { name: 'Show 1 earlier' }));
  fireEvent.click(screen.getByRole('button', { name: 'Hide 2 earlier' }));
  expect(customers()).toEqual(['Cleo']);
});

it('shows every other day whole', () => {
  shown('2026-06-01');
  expect(customers()).toEqual(['Ana', 'Ben', 'Cleo']);
});

it('shows with a visit what was noted about it', () => {
  shown(TODAY);
  const [first] = screen.getAllByRole('listitem');
  expect(first?.textContent).toContain('Of Ben');
});

it('marks a visit whose employee is not at work, and says whether the customer knows', () => {
  const cards = [
    { ...visit('Ben', 570, AppointmentState.BOOKED), stranded: true },
    { ...visit('Cleo', 780, AppointmentState.BOOKED), stranded: true, told: true },
    visit('Ana', 840, AppointmentState.BOOKED),
  ];
  mount([{ path: '/', element: <Listed day={TODAY} cards={cards} /> }], '/');
  const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent ?? '');
  expect(rows[0]).toMatch(/Not at work(?! · Customer told)/);
  expect(rows[1]).toContain('Not at work · Customer told');
  expect(rows[2]).not.toContain('Not at work');
});
