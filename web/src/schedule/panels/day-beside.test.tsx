// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OptimiseDayResponseSchema } from '../../gen/frontdesk/scheduling/v1/proposal_pb';
import type { Outgoing } from '../../http/transport';
import { fillJsdomGaps } from '../../testing/jsdom-gaps';
import { dialogsWork, mount } from '../../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../../session/current', () => ({
  api,
  session: { onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { DayBeside } = await import('./day-beside');

/** Whether the screen has room for a panel beside the day; a tablet that is turned changes it. */
let roomy = true;
const listeners = new Set<() => void>();
const turn = () =>
  act(() => {
    roomy = !roomy;
    for (const listener of listeners) listener();
  });

const here = { businessId: 'b', zone: 'Europe/London', role: 'MANAGER' };

function show() {
  const panel = (
    <DayBeside
      kind="optimise"
      {...here}
      day="2026-06-02"
      today="2026-06-01"
      columns={[]}
      visits={[]}
      employees={[]}
      catalogue={new Map()}
      stranded={[]}
      onOpen={() => undefined}
      onClose={() => undefined}
    />
  );
  mount([{ path: '/', element: panel }], '/');
}

beforeEach(() => {
  fillJsdomGaps();
  dialogsWork();
  roomy = true;
  window.matchMedia = (() => ({
    get matches() {
      return roomy;
    },
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
  })) as unknown as typeof window.matchMedia;
  api.mockReset();
  api.mockImplementation(async () => ({}));
});
afterEach(cleanup);

it('keeps what the search for a better day found when a tablet is turned', async () => {
  show();
  fireEvent.click(await screen.findByLabelText('Fit in people from the waitlist'));
  fireEvent.click(screen.getByRole('button', { name: 'Look for a better day' }));
  await screen.findByText('No change is worth it');
  expect(screen.getByRole('complementary', { name: 'Optimise day' })).toBeTruthy();
  for (const role of ['dialog', 'complementary'] as const) {
    turn();
    await screen.findByRole(role, { name: 'Optimise day' });
    screen.getByText('No change is worth it');
    expect(screen.getByLabelText<HTMLInputElement>('Fit in people from the waitlist').checked).toBe(false);
  }
});

it('shows an answer that arrives after a tablet was turned', async () => {
  let answer: (body: unknown) => void = () => undefined;
  api.mockImplementation(({ verb }) =>
    verb === 'GET' ? Promise.resolve({}) : new Promise((done) => (answer = done)),
  );
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'Look for a better day' }));
  await screen.findByText('Trying other ways to arrange the day…');
  turn();
  screen.getByText('Trying other ways to arrange the day…');
  await act(async () =>
    answer(
      toJson(OptimiseDayResponseSchema, create(OptimiseDayResponseSchema, { run: { movesTried: 1200n } })),
    ),
  );
  await screen.findByText(/1,200 changes were tried\./);
});
