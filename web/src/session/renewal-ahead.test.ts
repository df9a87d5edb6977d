// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { paths } from '../paths';
import { asksAhead } from './renewal-ahead';

const business = '01900000-0000-7000-8000-000000000001';

it.each([
  paths.root,
  paths.login,
  paths.myBusinesses,
  paths.admin,
  paths.adminTeam(),
  paths.business(business),
  paths.schedule(business),
])('the session is asked for ahead on %s', (path) => {
  expect(asksAhead(path.split('?')[0] ?? '')).toBe(true);
});

it.each([
  paths.authCallback,
  paths.register,
  paths.resetPassword,
  paths.forgotPassword,
  paths.onboarding,
  paths.privacy,
])('no prefetch on %s: its address may carry a secret, or the page needs no session', (path) => {
  expect(asksAhead(path)).toBe(false);
});
