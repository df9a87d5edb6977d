import { queries } from '../api/query-client';
import { Topic } from '../gen/frontdesk/live/v1/live_pb';
import { runtime } from '../runtime';
import { session } from '../session/current';
import { browserClock } from '../time/clock';
import { Coalesce } from './coalesce';
import { LiveSocket, type Wire } from './live-socket';
import { reportLiveStatus } from './status';
import { readAgain, readStale } from './topics';

function socketAddress(): string {
  const address = new URL(runtime().webSocketUrl, window.location.href);
  address.protocol = address.protocol.replace('http', 'ws');
  return address.href;
}

const PAUSE_BETWEEN_READS_MS = 300;
const reads = new Coalesce(browserClock, PAUSE_BETWEEN_READS_MS);

/** This tab's live socket. */
export const live = new LiveSocket({
  open: () => new WebSocket(socketAddress()) as unknown as Wire,
  clock: browserClock,
  random: Math.random,
  token: () => session.token,
  beginning: () => session.takeLiveCursor(),
  // What a refused call does: a session that the door has ended is over for the page as well.
  renew: async () => {
    if (!(await session.renewAfterRefusal(session.token))) throw new Error('The session is over.');
  },
  onChanged: (change) => {
    // What fails here is asked again with the next token.
    if (change.topic === Topic.MEMBERSHIPS) session.reloadBusinesses().catch(() => undefined);
    reads.run(`${change.businessId}/${change.topic}`, () => void readAgain(queries, change));
  },
  onReset: (answeredBefore) => void readStale(queries, ({ state }) => state.dataUpdatedAt < answeredBefore),
  onStatus: reportLiveStatus,
});

session.onToken(() => live.authenticate());
session.onEnd(() => live.stop());
window.addEventListener('online', () => live.reconnectNow());
