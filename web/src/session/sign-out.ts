import { messageOf } from '../api/errors';
import { sessionToasts } from '../ui/toasts';
import { session } from './current';

/** Signs out, and says whether the door knows: here it is over in any case. */
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
