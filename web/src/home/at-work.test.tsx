// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Column, Shade } from '../day/columns';
import { mount } from '../testing/mount';
import { AtWork } from './at-work';

const column = (employeeName: string, shades: Shade[]): Column => ({
  key: employeeName,
  day: '2026-11-24',
  employeeId: employeeName,
  employeeName,
  working: [],
  own: false,
  hasOwnHours: false,
  shades,
  cards: [],
});

const shown = (columns: Column[]) =>
  mount([{ path: '/', element: <AtWork businessId="b1" columns={columns} minute={600} /> }], '/');

afterEach(cleanup);

it('says that no one has hours where no one works for no other reason', () => {
  const away: Shade = { kind: 'away', label: 'Not working', from: 540, to: 1080 };
  shown([column('Joe', [away]), column('Ana', [])]);
  expect(screen.getByText('No one works today')).toBeDefined();
  expect(screen.getByText('No employee has working hours today.')).toBeDefined();
});

it('says why a salon is closed', () => {
  shown([column('Joe', [{ kind: 'closed', label: 'Christmas', from: 0, to: 1440 }])]);
  expect(screen.getByText('Christmas')).toBeDefined();
});
