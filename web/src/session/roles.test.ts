import { describe, expect, it } from 'vitest';
import {
  isAdmin,
  isEmployeeOrAbove,
  isManagerOrAbove,
  isOwnerOrAbove,
  normaliseRole,
  passes,
  rankOf,
  requiredRole,
  roleName,
} from './roles';

describe('roles', () => {
  it('rank ADMIN over OWNER over MANAGER over EMPLOYEE over GUEST over unknown ones', () => {
    const ranks = ['ADMIN', 'OWNER', 'MANAGER', 'EMPLOYEE', 'GUEST', 'JANITOR'].map(rankOf);
    expect(ranks).toEqual([5, 4, 3, 2, 1, 0]);
  });

  it('are compared without case, and USER is EMPLOYEE', () => {
    expect(normaliseRole('owner')).toBe('OWNER');
    expect(normaliseRole('User')).toBe('EMPLOYEE');
    expect(passes('user', 'EMPLOYEE')).toBe(true);
  });

  it('pass where their rank is at least the required one', () => {
    expect(passes('ADMIN', 'OWNER')).toBe(true);
    expect(passes('MANAGER', 'MANAGER')).toBe(true);
    expect(passes('EMPLOYEE', 'MANAGER')).toBe(false);
    expect(passes('whatever', 'GUEST')).toBe(false);
  });

  it('have a helper for each rank that opens doors', () => {
    const helpers = [isAdmin, isOwnerOrAbove, isManagerOrAbove, isEmployeeOrAbove];
    const opened = (role: string) => helpers.map((helper) => helper(role));
    expect(opened('ADMIN')).toEqual([true, true, true, true]);
    expect(opened('owner')).toEqual([false, true, true, true]);
    expect(opened('MANAGER')).toEqual([false, false, true, true]);
    expect(opened('user')).toEqual([false, false, false, true]);
    expect(opened('GUEST')).toEqual([false, false, false, false]);
    expect(opened('JANITOR')).toEqual([false, false, false, false]);
  });

  it('of a route are read first to last, the first being required', () => {
    expect(requiredRole(['ADMIN', 'GUEST'])).toBe('ADMIN');
    expect(requiredRole(undefined)).toBeUndefined();
  });

  it('are written like a word', () => {
    expect(roleName('MANAGER')).toBe('Manager');
  });
});
