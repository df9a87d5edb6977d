import {
  type AgentPublication,
  type AgentPublicationError,
  AgentPublicationFault as Fault,
  AgentPublicationState as State,
} from '../../gen/frontdesk/tenancy/v1/agent_publication_pb';
import type { Tone } from '../../ui/badge';

const PARTS: Readonly<Record<string, string>> = {
  greeting: 'the greeting',
  prompt: 'the prompt',
  languages: 'the languages',
  voice: 'the voice',
  tools: 'the tools',
  webhook: 'the webhook address',
};

type Said = { label: string; tone: Tone; text: string };

/** Where the published version stands at a platform, and what to do where something is missing; `speaks` is our own agent. */
export function publicationText(publication: AgentPublication, platform: string, speaks = true): Said {
  const { state, wantedVersion, liveVersion, drift } = publication;
  switch (state) {
    case State.OWN_AGENT:
      if (!speaks)
        return {
          label: 'No agent answers',
          tone: 'bad',
          text: 'This installation has no language model, so our own agent can’t speak: callers are put through to the team, or the team is asked to call them back. An administrator has to configure a model.',
        };
      return {
        label: 'Our own agent',
        tone: 'good',
        text: 'Calls run on the published version from the next one on. Nothing has to be published there.',
      };
    case State.NO_API_KEY:
      return {
        label: 'No API key',
        tone: 'warn',
        text: `Enter the key for ${platform}’s API with “New secret or key” under Voice platform, so that Frontdesk can set the agent up there.`,
      };
    case State.NO_AGENT:
      return {
        label: 'No agent named',
        tone: 'warn',
        text: `Frontdesk does not know yet which agent at ${platform} is the salon’s. Enter its id with “Edit” under Voice platform.`,
      };
    case State.NOTHING_PUBLISHED:
      return {
        label: 'Nothing published',
        tone: 'quiet',
        text: 'The first version you publish is sent there.',
      };
    case State.WAITING:
      return {
        label: `Sending version ${wantedVersion}`,
        tone: 'info',
        text: liveVersion ? `Calls run on version ${liveVersion} until then.` : '',
      };
    case State.LIVE:
      return drift.length > 0
        ? {
            label: 'Changed there',
            tone: 'warn',
            text: `${asList(drift.map((part) => PARTS[part] ?? part))} at ${platform} ${drift.length > 1 ? 'differ' : 'differs'} from version ${liveVersion}. Publish again to put it right.`,
          }
        : { label: `Version ${liveVersion} is live`, tone: 'good', text: '' };
    default:
      return {
        label: `Version ${wantedVersion} not published`,
        tone: 'bad',
        text: liveVersion
          ? `Calls still run on version ${liveVersion}.`
          : 'Calls run on what was set up there.',
      };
  }
}

/** What went wrong last, and what to do about it. */
export function publicationErrorText({ fault, detail }: AgentPublicationError, platform: string): string {
  const said = detail ? `: ${detail.replace(/\.$/, '')}` : '';
  switch (fault) {
    case Fault.API_KEY:
      return `${platform} does not take the API key. Enter a valid one for this line under Voice platform.`;
    case Fault.AGENT:
      return `${platform} has no agent of this id. Correct it with “Edit” under Voice platform.`;
    case Fault.KIND:
      return `The agent at ${platform} can’t be set up from here${said}. Name another one with “Edit”.`;
    case Fault.REFUSED:
      return `${platform} refused it${said}. Change the agent, then publish again.`;
    case Fault.BUSY:
      return `${platform} asked to be left alone for a while.`;
    default:
      return `${platform} could not be reached${said}.`;
  }
}

function asList(parts: readonly string[]): string {
  const text = parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
