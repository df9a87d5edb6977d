import { messageOf } from '../http/errors';
import { sessionToasts } from '../ui/toasts';
import { session } from './current';

/** Signs out, with a message if the server was not reached: the session ends here in any case. */
export async function signOut(): Promise<void> {
  try {
    await session.signOut();
    sessionToasts.show('good', 'Logged out successfully');
  } catch (error) {
    sessionToasts.show(
      'bad',
      `${messageOf(error)} You are signed out here, but the server may not know yet.`,
    );
  }
}
