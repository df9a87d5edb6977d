import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import {
  AgentPublicationErrorSchema,
  AgentPublicationFault,
  AgentPublicationSchema,
  AgentPublicationState,
} from '../../gen/frontdesk/tenancy/v1/agent_publication_pb';
import { publicationErrorText, publicationText } from './publication-text';

const of = (state: AgentPublicationState, more = {}) =>
  publicationText(
    create(AgentPublicationSchema, { state, wantedVersion: 3, liveVersion: 2, ...more }),
    'Vapi',
  );

describe('where a version stands', () => {
  it('says which one calls run on until the next is there', () => {
    expect(of(AgentPublicationState.WAITING)).toMatchObject({
      label: 'Sending version 3',
      text: 'Calls run on version 2 until then.',
    });
    expect(of(AgentPublicationState.FAILED).text).toBe('Calls still run on version 2.');
    expect(of(AgentPublicationState.FAILED, { liveVersion: 0 }).text).toBe(
      'Calls run on what was set up there.',
    );
  });

  it('does not call good what no one answers', () => {
    const own = create(AgentPublicationSchema, { state: AgentPublicationState.OWN_AGENT });
    expect(publicationText(own, 'Twilio')).toMatchObject({ label: 'Our own agent', tone: 'good' });
    expect(publicationText(own, 'Twilio', false)).toMatchObject({ label: 'No agent answers', tone: 'bad' });
    expect(publicationText(own, 'Twilio', false).text).toMatch(/administrator has to configure a model/);
  });

  it('names what was changed at the platform', () => {
    expect(of(AgentPublicationState.LIVE).label).toBe('Version 2 is live');
    const drifted = of(AgentPublicationState.LIVE, { drift: ['greeting', 'tools'] });
    expect(drifted.text).toBe(
      'The greeting and the tools at Vapi differ from version 2. Publish again to put it right.',
    );
    expect(of(AgentPublicationState.LIVE, { drift: ['prompt'] }).text).toMatch(/^The prompt at Vapi differs/);
  });
});

describe('what went wrong', () => {
  const error = (fault: AgentPublicationFault, detail = '') =>
    publicationErrorText(create(AgentPublicationErrorSchema, { fault, detail }), 'Vapi');

  it('says what the platform said, and what to do', () => {
    expect(error(AgentPublicationFault.REFUSED, 'voice is wrong.')).toBe(
      'Vapi refused it: voice is wrong. Change the agent, then publish again.',
    );
    expect(error(AgentPublicationFault.UNREACHABLE)).toBe('Vapi could not be reached.');
    expect(error(AgentPublicationFault.API_KEY)).toMatch(/Enter a valid one/);
  });
});
