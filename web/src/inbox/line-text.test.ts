import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import {
  AgentPublicationSchema,
  AgentPublicationFault as Fault,
  AgentPublicationState as State,
} from '../gen/frontdesk/tenancy/v1/agent_publication_pb';
import { lineTexts } from './line-text';

const texts = (publication: MessageInitShape<typeof AgentPublicationSchema>) =>
  lineTexts(
    create(AgentPublicationSchema, { state: State.LIVE, liveVersion: 2, wantedVersion: 2, ...publication }),
  );

it('says what calls run on where a version did not get there', () => {
  expect(texts({ state: State.FAILED, wantedVersion: 3 })).toEqual([
    'Version 3 did not reach the platform: calls run on version 2.',
  ]);
  expect(texts({ state: State.FAILED, liveVersion: 0 })).toEqual([
    'Version 2 did not reach the platform: calls run on what was set up there.',
  ]);
});

it('says what was changed there, and which calls are missing', () => {
  expect(texts({ drift: ['prompt'] })).toEqual(['What the platform has differs from version 2.']);
  expect(texts({ callCheck: { unreadCallCount: 1 } })).toEqual([
    '1 call could not be read there and is not in the list of calls.',
  ]);
  expect(texts({ callCheck: { unreadCallCount: 3 } })[0]).toMatch(/^3 calls .* are not in the list/);
});

it('says once that a key is refused, however many reads it stops', () => {
  const error = { fault: Fault.API_KEY };
  expect(texts({ error, callCheck: { error } })).toEqual([
    'The platform does not take the API key.',
    'Until then, calls that no webhook tells of are missing here.',
  ]);
  expect(texts({ error: { fault: Fault.REFUSED, detail: 'no such voice.' } })).toEqual([
    'The platform refused it: no such voice.',
  ]);
});
