import { bodyOf } from '../api/authorised';
import type { Transport } from '../api/transport';
import type { AuthDoor } from './session';
import type { Grant } from './user';

/** The hand-written sign-in routes, which need nothing of the contract. */
export type SessionDoor = AuthDoor & {
  /** Answers with the door's words. */
  resetPassword(token: string, newPassword: string): Promise<string>;
};

export function createDoor(transport: Transport): SessionDoor {
  return {
    async login(email, password) {
      const answer = await transport({ verb: 'POST', path: '/auth/login', body: { email, password } });
      return (await bodyOf(answer)) as Grant;
    },
    async refresh() {
      const answer = await transport({ verb: 'GET', path: '/auth/refresh', xsrf: true });
      return (await bodyOf(answer)) as Grant;
    },
    async logout(token) {
      await bodyOf(await transport({ verb: 'POST', path: '/auth/logout', body: {}, token }));
    },
    async resetPassword(token, newPassword) {
      const answer = await transport({
        verb: 'POST',
        path: '/auth/reset-password',
        body: { token, newPassword },
      });
      return ((await bodyOf(answer)) as { message?: string }).message ?? '';
    },
  };
}
