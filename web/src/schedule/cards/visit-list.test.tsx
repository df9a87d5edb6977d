// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen } from '@testing-library/react';
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
    appointment: create(AppointmentSchema, { id: customer, state }),
  }) as PlacedCard;

const column = (day: string, cards: PlacedCard[]): Column => ({
  key: day,
  day,
  employeeId: 'mia',
  employeeName: 'Mia Larsen',
  own: false,
  working: [],
  hasOwnHours: false,
  shades: [],
  cards,
});

function shown(day: string) {
  const cards = [
    visit('Ana', 540, AppointmentState.COMPLETED),
    visit('Ben', 570, AppointmentState.BOOKED),
    visit('Cleo', 780, AppointmentState.BOOKED),
  ];
  const list = (
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
  mount([{ path: '/', element: list }], '/');
}

const customers = () =>
  screen.getAllByRole('listitem').map(({ textContent }) => /Ana|Ben|Cleo/.exec(textContent ?? '')?.[0]);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-06-02T11:00:00Z') });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('begins with what is left of today, and shows the rest on demand', () => {
  shown(TODAY);
  expect(customers()).toEqual(['Ben', 'Cleo']);
  fireEvent.click(screen.getByRole('button', { name: 'Show 1 earlier' }));
  expect(customers()).toEqual(['Ana', 'Ben', 'Cleo']);
  fireEvent.click(screen.getByRole('button', { name: 'Hide 1 earlier' }));
  expect(customers()).toEqual(['Ben', 'Cleo']);
});

it('shows every other day whole', () => {
  shown('2026-06-01');
  expect(customers()).toEqual(['Ana', 'Ben', 'Cleo']);
});
