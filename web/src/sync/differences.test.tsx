// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DifferenceKind, DifferenceSchema } from '../gen/frontdesk/calendarsync/v1/consistency_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { dialogsWork, mount } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

dialogsWork();
const { Differences } = await import('./differences');

beforeEach(fillJsdomGaps);
afterEach(cleanup);

const difference = (eventId: string, isBeingWritten: boolean) =>
  create(DifferenceSchema, {
    calendarId: 'c1',
    eventId,
    employeeId: 'e1',
    kind: DifferenceKind.MISSING,
    isBeingWritten,
    ours: { title: `Visit ${eventId}` },
  });

function show(differences: ReturnType<typeof difference>[]) {
  const shown = {
    businessId: 'b1',
    differences,
    total: differences.length,
    role: 'OWNER',
    zone: 'Europe/London',
    names: new Map([['e1', 'Sofia']]),
    people: { me: '', employees: [], members: [] },
  };
  mount([{ path: '/', element: <Differences {...shown} /> }], '/');
}

it('shows what a person has to look at, and on request what is being written as well', async () => {
  show([difference('1', true), difference('2', false), difference('3', true)]);
  await screen.findByText('Visit 2');
  expect(screen.queryByText('Visit 1')).toBeNull();
  screen.getByText('2 more were being written when it was checked.');
  const fold = screen.getByRole('button', { name: 'Show them' });
  fold.focus();
  fireEvent.click(fold);
  screen.getByText('Visit 1');
  screen.getByText('Visit 3');
  // The same button hides them, and keeps the focus.
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Hide them', expanded: true }));
  fireEvent.click(fold);
  expect(screen.queryByText('Visit 1')).toBeNull();
});

it('keeps the focus in the row of a difference that is being repaired', async () => {
  api.mockResolvedValue({});
  show([difference('1', false)]);
  const repair = await screen.findByRole('button', { name: /: Visit 1$/ });
  repair.focus();
  fireEvent.click(repair);
  const told = await screen.findByText('Being written');
  expect(document.activeElement).toBe(told);
});

it('never says that there are no differences while some are being written', async () => {
  show([difference('1', true)]);
  await screen.findByText('One was being written when it was checked.');
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.queryByText('No differences')).toBeNull();
});
