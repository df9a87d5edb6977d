import type { Outcome } from './answers';

export type Body = Record<string, string> | undefined;

/** The six digits that make a device trusted here. */
export const DEVICE_CODE = '123456';

const refused = (status: number, reason: string, message: string): Outcome => ({
  kind: 'refused',
  status,
  reason,
  message,
});
const said = (message: string): Outcome => ({ kind: 'answered', answer: { message } });

/** Answers of the hand-written auth routes. The token `spent` is refused as used. */
export function authAnswer(path: string, body: Body): Outcome | undefined {
  const token = body?.token ?? body?.invitation;
  const known = ANSWERS[path.replace('/api/auth/', '')];
  if (known && token === 'spent') return refused(401, 'TOKEN_SPENT', 'This link no longer works.');
  return known?.(body);
}

const ANSWERS: Record<string, (body: Body) => Outcome> = {
  'forgot-password': () =>
    said('If the address has an account, a link to choose a new password is on its way.'),
  'reset-password': () => said('Your password has been reset successfully'),
  'register/employee': () => said('Please open the link we have sent you.'),
  'verify-email': () => ({ kind: 'answered', answer: {} }),
  'diagnose-user': () => said('The account is verified and signs in with a password.'),
  'debug/oauth-config': () => ({
    kind: 'answered',
    answer: {
      issuer: 'http://localhost:7190',
      clientId: 'frontdesk-demo',
      authorizationEndpoint: 'http://localhost:7190/authorize',
      scopes: 'openid email profile',
    },
  }),
  invitation: (body) => ({
    kind: 'answered',
    answer: {
      email: body?.invitation === 'for-owner' ? 'owner@demo.test' : 'nadia@demo.test',
      businessName: 'Willow & Co',
      role: 'EMPLOYEE',
      hasAccount: body?.invitation !== 'new',
    },
  }),
};
