import type { Toasts } from '../ui/toasts';
import type { Session } from './session';

type Parts = {
  session: Pick<Session, 'onEnd' | 'onSignIn'>;
  answers: { clear(): void };
  /** Where the session speaks. */
  toasts: Pick<Toasts, 'show' | 'clear'>;
  /** Where the screens speak. */
  screenToasts: Pick<Toasts, 'clear'>;
  /** Begins the page anew, from its front. */
  startOver: () => void;
};

/** What the beginning and the end of a session mean for the rest of the page. */
export function announceSession({ session, answers, toasts, screenToasts, startOver }: Parts): void {
  // Why it did not go before is of no interest any more.
  session.onSignIn(() => toasts.clear());
  session.onEnd((end, hadSession) => {
    // The next person at this computer sees nothing of this one.
    answers.clear();
    toasts.clear();
    screenToasts.clear();
    if (end === 'replaced') startOver();
    if (end === 'expired' && hadSession) toasts.show('bad', 'Session expired, please log in again.');
  });
}
