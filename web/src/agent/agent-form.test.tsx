// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { useQuery } from '@tanstack/react-query';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import {
  GetAgentSettingsResponseSchema,
  SaveAgentDraftResponseSchema,
} from '../gen/frontdesk/tenancy/v1/agent_settings_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount, refused } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { Draft } = await import('./draft-card');
const { Published } = await import('./published');
const { agentQuery } = await import('./queries');

const PUBLISH = /publish/i;
const draft = { greeting: 'Hello', prompt: 'Be brief.', languages: ['en'] };

function Page() {
  const told = useQuery(agentQuery('b')).data;
  const [unsaved, setUnsaved] = useState(false);
  if (!told?.draft) return null;
  const { draft, revision } = told;
  return (
    <>
      <Draft businessId="b" {...{ draft, revision, unsaved }} onUnsaved={setUnsaved} />
      <Published businessId="b" told={told} zone="UTC" unsaved={unsaved} />
    </>
  );
}

afterEach(cleanup);

it('a saved draft can be published at once, though it can’t be read again', async () => {
  fillJsdomGaps();
  let saved = false;
  api.mockImplementation(async ({ verb, path }) => {
    if (verb === 'GET' && saved) throw refused(503, 'UNAVAILABLE');
    if (verb === 'GET') {
      const told = { draft, revision: 1n, published: { version: 1 } };
      return toJson(GetAgentSettingsResponseSchema, create(GetAgentSettingsResponseSchema, told));
    }
    if (PUBLISH.test(path)) return {};
    saved = true;
    const told = { draft: { ...draft, greeting: 'Hi' }, revision: 2n, hasChanges: true };
    return toJson(SaveAgentDraftResponseSchema, create(SaveAgentDraftResponseSchema, told));
  });
  mount([{ path: '/', element: <Page /> }], '/');
  await screen.findByText('The draft says the same.');
  fireEvent.change(screen.getByLabelText('Greeting'), { target: { value: 'Hi ' } });
  await screen.findByText('Save the draft before you publish it.');
  const untrue = vi.fn();
  const watch = new MutationObserver(() => screen.queryByText('The draft says the same.') && untrue());
  watch.observe(document.body, { subtree: true, childList: true, characterData: true });
  fireEvent.click(screen.getByRole('button', { name: 'Save the draft' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Publish the draft' }));
  watch.disconnect();
  expect(untrue).not.toHaveBeenCalled();
  const published = () => api.mock.calls.find(([{ path }]) => PUBLISH.test(path))?.[0];
  await waitFor(() => expect(published()).toMatchObject({ body: { revision: '2' } }));
  expect(screen.getByLabelText('Greeting')).toHaveProperty('value', 'Hi');
});

it('what another person saves meanwhile takes nothing that was typed, and is shown on request', async () => {
  fillJsdomGaps();
  const told = { draft, revision: 1n, published: { version: 1 } };
  api.mockImplementation(async () =>
    toJson(GetAgentSettingsResponseSchema, create(GetAgentSettingsResponseSchema, told)),
  );
  const { client } = mount([{ path: '/', element: <Page /> }], '/');
  fireEvent.change(await screen.findByLabelText('Prompt'), { target: { value: 'Half an hour of work' } });
  await screen.findByText('There are changes that are not saved.');
  Object.assign(told, { draft: { ...draft, prompt: 'Theirs' }, revision: 2n });
  await client.invalidateQueries();
  await screen.findByText(/^The draft was changed since you opened it/);
  expect(screen.getByLabelText('Prompt')).toHaveProperty('value', 'Half an hour of work');
  fireEvent.click(screen.getByRole('button', { name: 'Show the new draft' }));
  await waitFor(() => expect(screen.getByLabelText('Prompt')).toHaveProperty('value', 'Theirs'));
  expect(screen.queryByText(/^The draft was changed since you opened it/)).toBeNull();
  // Where nothing was typed, it takes its place by itself.
  Object.assign(told, { draft: { ...draft, prompt: 'Theirs again' }, revision: 3n });
  await client.invalidateQueries();
  await waitFor(() => expect(screen.getByLabelText('Prompt')).toHaveProperty('value', 'Theirs again'));
});

it('a draft saved meanwhile that says the same as the form takes its place without a word', async () => {
  fillJsdomGaps();
  const told = { draft, revision: 1n, published: { version: 1 } };
  api.mockImplementation(async () =>
    toJson(GetAgentSettingsResponseSchema, create(GetAgentSettingsResponseSchema, told)),
  );
  const { client } = mount([{ path: '/', element: <Page /> }], '/');
  fireEvent.change(await screen.findByLabelText('Prompt'), { target: { value: 'Be kind. ' } });
  await screen.findByText('There are changes that are not saved.');
  Object.assign(told, { draft: { ...draft, prompt: 'Be kind.' }, revision: 2n });
  await client.invalidateQueries();
  await waitFor(() => expect(screen.queryByText('There are changes that are not saved.')).toBeNull());
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByLabelText('Prompt')).toHaveProperty('value', 'Be kind.');
});
