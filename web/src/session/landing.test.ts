import { describe, expect, it } from 'vitest';
import { landingOf } from './landing';
import type { User } from './user';

const person = (role: string, businessIds: string[]): User => ({
  id: 'u',
  name: 'Ada',
  email: 'ada@salon.test',
  role,
  provider: 'email',
  businessIds,
});

describe('after sign-in a person lands', () => {
  it('on the deep link they wanted, before anything else', () => {
    expect(landingOf(person('ADMIN', ['b1']), '/b1/calls?x=1')).toBe('/b1/calls?x=1');
  });

  it('at home when they have one business', () => {
    expect(landingOf(person('OWNER', ['b1']))).toBe('/b1');
  });

  it('at the choice when they have several, or none', () => {
    expect(landingOf(person('EMPLOYEE', ['b1', 'b2']))).toBe('/my/businesses');
    expect(landingOf(person('GUEST', []))).toBe('/my/businesses');
  });

  it('in the admin area when they run the installation', () => {
    expect(landingOf(person('ADMIN', []))).toBe('/admin');
  });

  it('never outside the application', () => {
    expect(landingOf(person('OWNER', ['b1']), '//evil.test')).toBe('/b1');
    expect(landingOf(person('OWNER', ['b1']), '/login')).toBe('/b1');
  });
});
