// @vitest-environment jsdom
import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  ListProposalsResponseSchema,
  OptimiseDayResponseSchema,
} from '../../gen/frontdesk/scheduling/v1/proposal_pb';
import type { Outgoing } from '../../http/transport';
import { fillJsdomGaps } from '../../testing/jsdom-gaps';
import { dialogsWork, mount } from '../../testing/mount';
import type { PanelKind } from './panels';

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

type Shown = { kind: PanelKind; day: string };
const TUESDAY: Shown = { kind: 'optimise', day: '2026-06-02' };
let see: (shown: Shown) => void = () => undefined;

function Panel() {
  const [shown, setShown] = useState(TUESDAY);
  see = (next) => act(() => setShown(next));
  return (
    <DayBeside
      {...shown}
      {...here}
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
}

const show = () => mount([{ path: '/', element: <Panel /> }], '/');

const answerOf = (json: MessageInitShape<typeof OptimiseDayResponseSchema>) =>
  toJson(OptimiseDayResponseSchema, create(OptimiseDayResponseSchema, json));

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
  await act(async () => answer(answerOf({ run: { movesTried: 1200n } })));
  await screen.findByText(/1,200 changes were tried\./);
});

it.each<[string, Shown]>([
  ['day', { kind: 'optimise', day: '2026-06-03' }],
  ['panel', { kind: 'stranded', day: '2026-06-02' }],
])('forgets what was found once another %s was shown', async (_, other) => {
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'Look for a better day' }));
  await screen.findByText('No change is worth it');
  see(other);
  see(TUESDAY);
  await screen.findByRole('button', { name: 'Look for a better day' });
  expect(screen.queryByText('No change is worth it')).toBeNull();
});

it('shows a proposal that a colleague got after a search that found none', async () => {
  const proposal = (id: string) => ({
    id,
    date: TUESDAY.day,
    cause: { case: 'optimisation' as const, value: {} },
  });
  let proposals = [proposal('old')];
  const asked: string[] = [];
  api.mockImplementation(async ({ verb, path }) => {
    if (verb !== 'GET') return answerOf({});
    asked.push(path);
    const schema = ListProposalsResponseSchema;
    return path.endsWith('/proposals') ? toJson(schema, create(schema, { proposals })) : {};
  });
  const { client } = show();
  await waitFor(() => expect(asked.some((path) => path.endsWith('/old'))).toBe(true));
  fireEvent.click(screen.getByRole('button', { name: 'Look for a better day' }));
  await screen.findByText('No change is worth it');
  proposals = [proposal('old'), proposal('new')];
  await act(() => client.invalidateQueries());
  await waitFor(() => expect(asked.some((path) => path.endsWith('/new'))).toBe(true));
  expect(screen.queryByText('No change is worth it')).toBeNull();
});
