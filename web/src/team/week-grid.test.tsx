// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { mount } from '../testing/mount';
import type { TeamWeek } from './team-week';
import { WeekGrid } from './week-grid';

const DAY = '2026-06-02';
const cell = { day: DAY, working: [], off: [], asked: [], closed: '', own: false, booked: [], outside: [] };
const week: TeamWeek = {
  days: [{ day: DAY, opening: [], label: '', coverage: [] }],
  rows: ['Ana', 'Ben'].map((name) => ({
    person: { id: name, name },
    cells: [{ ...cell, employeeId: name }],
    minutes: 0,
  })),
  shown: { from: 540, to: 1020 },
  most: 0,
};

function show(onCell: (() => void) | undefined) {
  const Component = () => (
    <WeekGrid
      label="The team"
      week={week}
      today={DAY}
      dayTitle={() => 'Tuesday 2 June'}
      toDay={() => '/day'}
      toEmployee={(id) => `/team/${id}`}
      hasNoHours={(id) => id === 'Ana'}
      onCell={onCell}
    />
  );
  mount([{ path: '/', Component }], '/');
}

afterEach(cleanup);

it('says of an employee without hours that none are set, and leads those who may set them there', async () => {
  show(() => undefined);
  const ana = await screen.findByRole('rowheader', { name: /Ana/ });
  expect(ana.textContent).toContain('No hours set');
  const set = screen.getByRole('link', { name: 'Set hours of Ana' });
  expect(set.getAttribute('href')).toBe('/team/Ana');
  // Ben has a week, in which he is off.
  const ben = screen.getByRole('rowheader', { name: /Ben/ });
  expect(ben.textContent).toContain('Not at work');
  cleanup();
  show(undefined);
  await screen.findByText('No hours set');
  expect(screen.queryByRole('link', { name: /Set hours/ })).toBeNull();
});
