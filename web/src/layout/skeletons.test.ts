import { expect, it } from 'vitest';
import { skeletonFor } from './skeletons';

it('the placeholder of a page is chosen by its path', () => {
  const business = '/01900000-0000-7000-8000-000000000001';
  expect(
    [
      '/login',
      '/register',
      '/forgot-password',
      '/reset-password',
      '/auth/callback',
      '/privacy',
      '/my/businesses',
      '/my/account',
      '/admin',
      business,
      `${business}/calls`,
      `${business}/customers`,
      `${business}/items`,
    ].map(skeletonFor),
  ).toEqual([
    'login',
    'login',
    'login',
    'login',
    'login',
    'login',
    'businessList',
    'account',
    'dashboard',
    'dashboard',
    'calls',
    'calls',
    'calls',
  ]);
  expect(skeletonFor(`${business}/calls/01900000-0000-7000-8000-00000000000a`)).toBe('businessDetail');
});
