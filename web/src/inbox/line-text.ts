import {
  type AgentPublication,
  type AgentPublicationError,
  AgentPublicationFault as Fault,
  AgentPublicationState as State,
} from '../gen/frontdesk/tenancy/v1/agent_publication_pb';

/** What is broken between the salon's agent and its voice platform, each as a sentence. */
export function lineTexts({ state, wantedVersion, liveVersion, drift, error, callCheck }: AgentPublication) {
  const texts: string[] = [];
  if (state === State.FAILED)
    texts.push(
      `Version ${wantedVersion} did not reach the platform: calls run on ${liveVersion ? `version ${liveVersion}` : 'what was set up there'}.`,
    );
  if (drift.length > 0) texts.push(`What the platform has differs from version ${liveVersion}.`);
  if (error) texts.push(errorText(error));
  if (callCheck?.error) {
    texts.push(errorText(callCheck.error));
    texts.push('Until then, calls that no webhook tells of are missing here.');
  }
  const lost = callCheck?.unreadCallCount ?? 0;
  if (lost > 0)
    texts.push(
      lost === 1
        ? '1 call could not be read there and is not in the list of calls.'
        : `${lost} calls could not be read there and are not in the list of calls.`,
    );
  return [...new Set(texts)];
}

function errorText({ fault, detail }: AgentPublicationError): string {
  const said = detail ? `: ${detail.replace(/\.$/, '')}` : '';
  switch (fault) {
    case Fault.API_KEY:
      return 'The platform does not take the API key.';
    case Fault.AGENT:
      return 'The platform does not know the agent or the account.';
    case Fault.KIND:
      return `The agent there can’t be set up from here${said}.`;
    case Fault.REFUSED:
      return `The platform refused it${said}.`;
    case Fault.BUSY:
      return 'The platform asked to be left alone for a while.';
    default:
      return `The platform could not be reached${said}.`;
  }
}
