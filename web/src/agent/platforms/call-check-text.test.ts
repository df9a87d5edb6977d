import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import {
  AgentPublicationErrorSchema,
  AgentPublicationFault,
  CallCheckStatusSchema,
} from '../../gen/frontdesk/tenancy/v1/agent_publication_pb';
import { callCheckErrorText, callCheckText, unreadCallsText } from './call-check-text';

const at = (text: string) => timestampFromDate(new Date(text));
const text = (more: object) => callCheckText(create(CallCheckStatusSchema, more), 'Vapi', 'Europe/London');

describe('calls that no webhook told of', () => {
  it('are silent before the first comparison', () => {
    expect(text({})).toBe('Calls are compared with Vapi’s in a few minutes.');
  });

  it('are counted with the latest of them', () => {
    const checkedAt = at('2026-06-01T08:00:00Z');
    expect(text({ checkedAt })).toMatch(/^Calls last compared with Vapi’s .*9:00\.$/);
    const takenAt = at('2026-06-01T07:55:00Z');
    expect(text({ checkedAt, takenAt, takenCount: 1 })).toMatch(
      / 1 call that no webhook told of in full was added, the latest .*8:55\.$/,
    );
    expect(text({ checkedAt, takenAt, takenCount: 3 })).toMatch(/ 3 calls .* were added/);
  });

  it('say what keeps them from being found, and what to do', () => {
    const error = (fault: AgentPublicationFault, detail = '') =>
      callCheckErrorText(create(AgentPublicationErrorSchema, { fault, detail }), 'Vapi');
    expect(error(AgentPublicationFault.API_KEY)).toMatch(/Enter a valid key/);
    expect(error(AgentPublicationFault.AGENT)).toMatch(/Correct it/);
    expect(error(AgentPublicationFault.UNREACHABLE, 'it is down.')).toBe(
      'Vapi does not list its calls: it is down. Until it does, calls that no webhook tells of are not found.',
    );
  });

  it('say which could not be read, and why', () => {
    const unread = (...reasons: string[]) =>
      unreadCallsText(
        create(CallCheckStatusSchema, {
          unreadCalls: reasons.map((reason) => ({ platformCallId: 'c', reason })),
          unreadCallCount: reasons.length,
        }),
        'Vapi',
      );
    expect(unread()).toBe('');
    expect(unread('the platform answers 500')).toMatch(/^1 call could not be read .+ is not in .+ 500\.$/);
    expect(unread('gone.', 'lost')).toMatch(/^2 calls .+ are not in the list of calls\. .+: gone\.$/);
  });
});
