// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { StrictMode, useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DifferenceKind, DifferenceSchema } from '../gen/frontdesk/calendarsync/v1/consistency_pb';
import type { Outgoing } from '../http/transport';
import { dialogsWork, mount, refused } from '../testing/mount';
import { toasts } from '../ui/toasts';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

dialogsWork();
const { RepairAll } = await import('./repair-all');

const difference = (eventId: string, kind = DifferenceKind.MISSING) =>
  create(DifferenceSchema, { calendarId: 'calendar', eventId, kind });

function show(differences: ReturnType<typeof difference>[]) {
  const onRepaired = vi.fn();
  const told = vi.spyOn(toasts, 'show');
  // Effects run twice in it, as in every page of a developer.
  const Component = () => (
    <StrictMode>
      <RepairAll businessId="b1" differences={differences} onRepaired={onRepaired} />
    </StrictMode>
  );
  mount([{ path: '/', Component }], '/');
  return { onRepaired, told };
}

afterEach(() => {
  cleanup();
  api.mockReset();
  vi.restoreAllMocks();
});

describe('repairing all differences', () => {
  it('says what it does, goes on past what is refused, and tells of it', async () => {
    let asked = 0;
    api.mockImplementation(async () => {
      asked += 1;
      if (asked === 2) throw refused(409, 'STALE', 'The event has changed.');
      return {};
    });
    const { onRepaired, told } = show([
      difference('a'),
      difference('b'),
      difference('c', DifferenceKind.EXTRA),
    ]);
    fireEvent.click(await screen.findByRole('button', { name: 'Repair all 3' }));
    await screen.findByText(
      '2 events are written again as the book has them. 1 event that is not in the book is taken out of the calendars.',
    );
    expect(api).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('button', { name: 'Repair all' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(onRepaired.mock.calls.map(([{ eventId }]) => eventId)).toEqual(['a', 'c']);
    expect(told).toHaveBeenCalledWith(
      'bad',
      expect.stringMatching(/^2 differences are being repaired\. 1 could not be repaired: /),
    );
  });

  it('stops when it is told to, and keeps what is done', async () => {
    const answers: ((answer: unknown) => void)[] = [];
    api.mockImplementation(() => new Promise((answer) => answers.push(answer)));
    const { onRepaired, told } = show([difference('a'), difference('b')]);
    fireEvent.click(await screen.findByRole('button', { name: 'Repair all 2' }));
    fireEvent.click(screen.getByRole('button', { name: 'Repair all' }));
    await waitFor(() => expect(answers).toHaveLength(1));
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
    answers[0]?.({});
    await waitFor(() => expect(told).toHaveBeenCalledWith('good', '1 difference is being repaired.'));
    expect(onRepaired).toHaveBeenCalledTimes(1);
    expect(api).toHaveBeenCalledTimes(1);
  });

  it('leaves the focus on the page once nothing is left to repair', async () => {
    api.mockResolvedValue({});
    const Component = () => {
      const [left, setLeft] = useState([difference('a'), difference('b')]);
      return (
        <main id="main" tabIndex={-1}>
          <RepairAll
            businessId="b1"
            differences={left}
            onRepaired={(done) => setLeft((before) => before.filter((one) => one !== done))}
          />
        </main>
      );
    };
    mount([{ path: '/', Component }], '/');
    fireEvent.click(await screen.findByRole('button', { name: 'Repair all 2' }));
    fireEvent.click(screen.getByRole('button', { name: 'Repair all' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('main'));
  });

  it('is not offered for one alone, which has its own button', () => {
    show([difference('a')]);
    expect(screen.queryByRole('button', { name: /^Repair all/ })).toBeNull();
  });
});
