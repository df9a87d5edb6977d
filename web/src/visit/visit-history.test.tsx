// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { UndoableChangeSchema } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { mount } from '../testing/mount';
import { VisitHistory } from './visit-history';

const shown = async (count: number, undo?: ComponentProps<typeof VisitHistory>['undo']) => {
  const entries = Array.from({ length: count }, (_, index) => ({
    at: new Date(Date.UTC(2026, 5, 30 - index)),
    by: 'agent:1',
    text: `Change ${count - index}`,
  }));
  const Component = () => (
    <VisitHistory entries={entries} employees={[]} userId="me" zone="Europe/London" undo={undo} />
  );
  mount([{ path: '/', Component }], '/');
  return within(await screen.findByRole('list', { name: 'History' }));
};

const kept = (until: Date, appointmentCount = 1) => ({
  ...create(UndoableChangeSchema, {
    changeId: 'change',
    madeAt: timestampFromDate(new Date(Date.UTC(2026, 5, 29))),
    undoableUntil: timestampFromDate(until),
    appointmentCount,
  }),
  run: vi.fn(async () => undefined),
});

afterEach(cleanup);

describe('the history of a visit', () => {
  it('shows a short past whole', async () => {
    expect((await shown(6)).getAllByRole('listitem')).toHaveLength(6);
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('offers to take back the change that the server would take back', async () => {
    const undo = kept(new Date(Date.now() + 60_000));
    const list = await shown(3, undo);
    const [, changed] = list.getAllByRole('listitem');
    if (!changed) throw new Error('no entry');
    fireEvent.click(within(changed).getByRole('button', { name: 'Undo' }));
    expect(undo.run).toHaveBeenCalledTimes(1);
    expect(screen.getAllByRole('button')).toHaveLength(1);
  });

  it('says of how many visits, and offers nothing once it is too late', async () => {
    await shown(3, kept(new Date(Date.now() + 60_000), 4));
    expect(screen.getByRole('button', { name: 'Undo for all 4 visits' })).toBeTruthy();
    cleanup();
    await shown(3, kept(new Date(Date.now() - 1)));
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('begins with the latest of a long past, and shows all on demand', async () => {
    const list = await shown(19);
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      expect.stringContaining('Change 19'),
      expect.stringContaining('Change 18'),
      expect.stringContaining('Change 17'),
      expect.stringContaining('Change 16'),
      expect.stringContaining('Change 15'),
    ]);
    const button = screen.getByRole('button', { name: 'Show all 19 entries' });
    fireEvent.click(button);
    expect(list.getAllByRole('listitem')).toHaveLength(19);
    // It stays under the focus, and leads back.
    expect(button.textContent).toBe('Show fewer entries');
    fireEvent.click(button);
    expect(list.getAllByRole('listitem')).toHaveLength(5);
  });
});
