import { bodyOf } from '../http/authorised';
import type { Outgoing, Transport } from '../http/transport';
import type { FrontendConfiguration } from './provider/configuration';
import { REFRESH_PATH } from './renewal-prefetch';
import type { AuthDoor } from './session';
import type { Grant, Me } from './user';

/** The hand-written sign-in routes, which use no protobuf. */
export type SessionDoor = AuthDoor & {
  /** Exchanges the provider's code for a session. */
  exchangeCode(code: string, codeVerifier: string, redirectUri: string): Promise<Grant>;
  /** Exchanges the handoff token of the server's flow for a session. */
  redeem(handoff: string): Promise<Grant>;
  frontendConfiguration(): Promise<FrontendConfiguration>;
  /** Resolves with the server's message, like the two after it. */
  resetPassword(token: string, newPassword: string, name?: string): Promise<string>;
  forgotPassword(email: string): Promise<string>;
  register(account: NewAccount): Promise<string>;
  /** What a mailed invitation offers, for the page that asks to accept it. */
  invitation(invitation: string): Promise<Invitation>;
};

type NewAccount = { name: string; email: string; password: string; invitation?: string };

export type Invitation = {
  email: string;
  businessName: string;
  role: string;
  /** The address has an account: its person signs in instead of making another. */
  hasAccount: boolean;
};

/** `prefetched` returns the renewal that the document has requested already, once. */
export function createDoor(
  transport: Transport,
  prefetched: () => Promise<Response> | undefined = () => undefined,
): SessionDoor {
  const said = async (path: string, body: object) => {
    const answer = await bodyOf(await transport({ verb: 'POST', path, body }));
    return (answer as { message?: string }).message ?? '';
  };
  const asked = async <T>(request: Outgoing) => (await bodyOf(await transport(request))) as T;
  const refresh = (token?: string) =>
    asked<Grant>({
      verb: 'GET',
      path: REFRESH_PATH,
      xsrf: true,
      token,
      ...(token ? {} : { prefetched: prefetched() }),
    });
  return {
    login: (email, password) =>
      asked<Grant>({ verb: 'POST', path: '/auth/login', body: { email, password } }),
    refresh: () => refresh(),
    redeem: refresh,
    exchangeCode: (code, codeVerifier, redirectUri) =>
      asked<Grant>({
        verb: 'POST',
        path: '/auth/oauth2/callback',
        body: { code, codeVerifier, redirectUri },
      }),
    logout: (token) => asked<void>({ verb: 'POST', path: '/auth/logout', token, keepalive: true }),
    myBusinesses: (token) => asked({ verb: 'GET', path: '/auth/me/businesses', token }),
    me: (token) => asked<Me>({ verb: 'GET', path: '/auth/me', token }),
    frontendConfiguration: () => asked<FrontendConfiguration>({ verb: 'GET', path: '/config/frontend' }),
    resetPassword: (token, newPassword, name) =>
      said('/auth/reset-password', { token, newPassword, ...(name && { name }) }),
    forgotPassword: (email) => said('/auth/forgot-password', { email }),
    register: (account) => said('/auth/register/employee', account),
    async invitation(invitation) {
      const answer = await transport({ verb: 'POST', path: '/auth/invitation', body: { invitation } });
      const {
        email = '',
        businessName = '',
        role = '',
        hasAccount = false,
      } = (await bodyOf(answer)) as Partial<Invitation>;
      return { email, businessName, role, hasAccount };
    },
  };
}
