import { describe, expect, it } from 'vitest';
import { isId, isOwnPath, paths } from './paths';

const business = '01900000-0000-7000-8000-000000000001';

describe('paths', () => {
  it('spells every address the way the specification does', () => {
    expect([
      paths.root,
      paths.onboarding,
      paths.login,
      paths.resetPassword,
      paths.myBusinesses,
      paths.admin,
      paths.adminBusinesses,
      paths.business(business),
      paths.calls(business),
      paths.call(business, 'c'),
      paths.appointment(business, 'a'),
      paths.customers(business),
      paths.customer(business, 'c'),
      paths.services(business),
    ]).toEqual([
      '/',
      '/onboarding',
      '/login',
      '/reset-password',
      '/my/businesses',
      '/admin',
      '/admin/businesses',
      `/${business}`,
      `/${business}/calls`,
      `/${business}/calls/c`,
      `/${business}/appointments/a`,
      `/${business}/customers`,
      `/${business}/customers/c`,
      `/${business}/services`,
    ]);
  });

  it('takes only UUIDs for ids', () => {
    expect(isId(business)).toBe(true);
    expect(isId(business.toUpperCase())).toBe(true);
    for (const other of [undefined, '', 'calls', 'admin', `${business}0`, 'not-a-uuid']) {
      expect(isId(other)).toBe(false);
    }
  });

  it('refuses deep links that leave the application', () => {
    expect(isOwnPath('/my/businesses?x=1')).toBe(true);
    for (const path of ['//evil.test', '/\\evil.test', 'https://evil.test', '', undefined, 7]) {
      expect(isOwnPath(path)).toBe(false);
    }
  });
});
