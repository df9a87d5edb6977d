import type { QueryClient } from '@tanstack/react-query';
import type { Toasts } from '../ui/toasts';
import type { Session } from './session';

type Parts = {
  session: Pick<Session, 'onEnd'>;
  queries: Pick<QueryClient, 'clear'>;
  toasts: Pick<Toasts, 'show'>;
  /** Begins the page anew, from its front. */
  startOver: () => void;
};

/** What the end of a session means for the rest of the page. */
export function announceEnds({ session, queries, toasts, startOver }: Parts): void {
  session.onEnd((end, hadSession) => {
    // The next person at this computer sees nothing of this one.
    queries.clear();
    if (end === 'replaced') startOver();
    if (end === 'expired' && hadSession) toasts.show('bad', 'Session expired, please log in again.');
  });
}
