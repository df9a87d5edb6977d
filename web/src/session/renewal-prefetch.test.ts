// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { paths } from '../paths';
import { prefetchesRenewal } from './renewal-prefetch';

const business = '01900000-0000-7000-8000-000000000001';

it.each([
  paths.root,
  paths.login,
  paths.myBusinesses,
  paths.admin,
  paths.adminTeam(),
  paths.business(business),
  paths.schedule(business),
])('the session is prefetched on %s', (path) => {
  expect(prefetchesRenewal(path.split('?')[0] ?? '')).toBe(true);
});

it.each([
  paths.authCallback,
  paths.register,
  paths.resetPassword,
  paths.forgotPassword,
  paths.onboarding,
  paths.privacy,
])('no prefetch on %s: its address may carry a secret, or the page needs no session', (path) => {
  expect(prefetchesRenewal(path)).toBe(false);
});
