// @vitest-environment jsdom
import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type CallViewSchema, ListCallViewsResponseSchema } from '../gen/frontdesk/telemetry/v1/call_view_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { dialogsWork, mount } from '../testing/mount';
import { toasts } from '../ui/toasts';
import { EVERY_CALL, queryOf } from './filter';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { CallViews } = await import('./call-views');

const wish = { ...EVERY_CALL, words: 'balayage' };
const colours = { id: 'v1', name: 'Colours', query: queryOf(wish) };

function views(...callViews: MessageInitShape<typeof CallViewSchema>[]) {
  const answer = toJson(ListCallViewsResponseSchema, create(ListCallViewsResponseSchema, { callViews }));
  api.mockImplementation(async ({ verb }) => (verb === 'GET' ? answer : {}));
}
const sent = () => api.mock.calls.map(([{ verb }]) => verb).filter((verb) => verb !== 'GET');

async function deleteColours() {
  views(colours);
  const page = <CallViews businessId="b" wish={wish} onPick={() => undefined} />;
  mount([{ path: '/', element: page }], '/');
  fireEvent.click(await screen.findByRole('button', { name: 'Colours' }));
  const menu = await screen.findByRole('menu');
  await waitFor(() => expect(document.activeElement).toBe(menu));
  fireEvent.click(within(menu).getByText('Delete “Colours”'));
  await waitFor(() => expect(toasts.list[0]?.text).toBe('Deleted the view Colours.'));
}

beforeEach(() => {
  fillJsdomGaps();
  dialogsWork();
  api.mockReset();
});
afterEach(() => {
  cleanup();
  for (const { id } of toasts.list) toasts.dismiss(id);
});

const toldOf = (text: string) =>
  waitFor(() => expect(toasts.list.map((toast) => toast.text)).toContain(text));

it('a deleted view is there again after an undo', async () => {
  await deleteColours();
  views();
  toasts.list[0]?.action?.run();
  await toldOf('The view Colours is there again.');
  expect(sent()).toEqual(['DELETE', 'POST']);
});

it('an undo leaves a newer view of the same name as it is', async () => {
  await deleteColours();
  views({ ...colours, id: 'v2', query: 'words=highlights' });
  toasts.list[0]?.action?.run();
  await toldOf('Not undone. There is another view of that name.');
  expect(sent()).toEqual(['DELETE']);
});

it('a view is deleted while another list is shown', async () => {
  views(colours, { id: 'v2', name: 'Long calls', query: 'words=long' });
  mount(
    [{ path: '/', element: <CallViews businessId="b" wish={EVERY_CALL} onPick={() => undefined} /> }],
    '/',
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Views' }));
  const menu = await screen.findByRole('menu');
  await waitFor(() => expect(document.activeElement).toBe(menu));
  fireEvent.click(await within(menu).findByText('Delete a view…'));
  const dialog = await screen.findByRole('dialog', { name: 'Delete a view' });
  views(colours);
  fireEvent.click(within(dialog).getByRole('button', { name: /^Delete.+Long calls/ }));
  await toldOf('Deleted the view Long calls.');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(api.mock.calls.map(([{ path, verb }]) => verb === 'DELETE' && path).filter(Boolean)).toEqual([
    expect.stringMatching(/call-views\/v2/),
  ]);
});
