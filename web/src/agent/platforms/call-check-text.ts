import {
  type AgentPublicationError,
  type CallCheckStatus,
  AgentPublicationFault as Fault,
} from '../../gen/frontdesk/tenancy/v1/agent_publication_pb';
import { dateAndTime, moment } from '../../time/zoned';

/** When calls were last compared with the platform's, and how many no webhook had told of. */
export function callCheckText(check: CallCheckStatus, platform: string, zone: string): string {
  const checked = moment(check.checkedAt);
  const taken = moment(check.takenAt);
  const compared = checked
    ? `Calls last compared with ${platform}’s ${dateAndTime(checked, zone)}.`
    : `Calls are compared with ${platform}’s in a few minutes.`;
  if (!taken) return compared;
  const calls = check.takenCount === 1 ? '1 call' : `${check.takenCount} calls`;
  return `${compared} ${calls} that no webhook told of in full ${check.takenCount === 1 ? 'was' : 'were'} added, the latest ${dateAndTime(taken, zone)}.`;
}

/** Why calls that no webhook told of are not found, and what to do about it. */
export function callCheckErrorText({ fault, detail }: AgentPublicationError, platform: string): string {
  const said = detail ? `: ${detail.replace(/\.$/, '')}` : '';
  switch (fault) {
    case Fault.API_KEY:
      return `${platform} does not take the key for its API, so calls that no webhook tells of are not found. Enter a valid key for this line under Voice platform.`;
    case Fault.AGENT:
      return `${platform} does not know the agent or the account, so calls that no webhook tells of are not found. Correct it with “Edit” under Voice platform.`;
    default:
      return `${platform} does not list its calls${said}. Until it does, calls that no webhook tells of are not found.`;
  }
}

/** How many calls a platform lists and never told, and what it said of the latest; empty where there are none. */
export function unreadCallsText({ unreadCalls, unreadCallCount }: CallCheckStatus, platform: string): string {
  const [latest] = unreadCalls;
  if (!latest) return '';
  const calls = unreadCallCount === 1 ? '1 call' : `${unreadCallCount} calls`;
  return `${calls} could not be read at ${platform}, however often, and ${unreadCallCount === 1 ? 'is' : 'are'} not in the list of calls. Of the latest it said: ${latest.reason.replace(/\.$/, '')}.`;
}
