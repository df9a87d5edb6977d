// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { CheckedSideSchema } from '../gen/frontdesk/calendarsync/v1/consistency_pb';
import { mount } from '../testing/mount';
import { Sides } from './sides';

afterEach(cleanup);

it('lists the calendars compared by the names of their employees', () => {
  const side = (calendarId: string, employeeId: string) =>
    create(CheckedSideSchema, { calendarId, employeeId, calendarName: 'Work' });
  const names = new Map([
    ['e1', 'Sofia'],
    ['e2', 'Ben'],
  ]);
  const sides = [side('c1', 'e1'), side('c2', 'e2'), side('c3', 'e1')];
  mount([{ path: '/', element: <Sides sides={sides} names={names} /> }], '/');
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
    'Ben',
    'Sofia',
    'Sofia',
  ]);
});
