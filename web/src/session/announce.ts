import type { Toasts } from '../ui/toasts';
import type { Undos } from '../ui/undos';
import type { Session } from './session';

type Parts = {
  session: Pick<Session, 'onEnd' | 'onSignIn'>;
  answers: { clear(): void };
  /** Toasts of the session. */
  toasts: Pick<Toasts, 'show' | 'clear'>;
  /** Toasts of the screens. */
  screenToasts: Pick<Toasts, 'clear'>;
  /** Changes that can be taken back. */
  undos: Pick<Undos, 'clear'>;
  /** Reloads the application at its first page. */
  startOver: () => void;
};

/** Connects the start and the end of a session to toasts, caches and reloads. */
export function announceSession({ session, answers, toasts, screenToasts, undos, startOver }: Parts): void {
  // Earlier errors are out of date.
  session.onSignIn(() => toasts.clear());
  session.onEnd((end, hadSession) => {
    // The next user of this computer must not see this one's data.
    answers.clear();
    toasts.clear();
    screenToasts.clear();
    undos.clear();
    // Once the session's state is known: until then, a form asks whether to leave it.
    if (end === 'replaced') queueMicrotask(startOver);
    if (end === 'expired' && hadSession) toasts.show('bad', 'Session expired, please log in again.');
  });
}
