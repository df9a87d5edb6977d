// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, it } from 'vitest';
import { mount } from '../testing/mount';
import { CellFace } from './cell-face';
import type { Cell } from './cells';

const DAY_OFF: Cell = {
  day: '2026-06-02',
  employeeId: 'mia',
  working: [],
  off: [],
  asked: [],
  closed: '',
  own: false,
  booked: [],
  outside: [],
};
const SHOWN = { from: 540, to: 1080 };

afterEach(cleanup);

it('says in words that an employee is not at work where no other day is beside it', () => {
  mount([{ path: '/', element: <CellFace alone cell={DAY_OFF} shown={SHOWN} /> }], '/');
  screen.getByText('Not at work');
});

it('draws a dash for a day without work among the days of a week', () => {
  mount([{ path: '/', element: <CellFace cell={DAY_OFF} shown={SHOWN} /> }], '/');
  screen.getByText('–');
});
