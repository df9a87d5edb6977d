import { describe, expect, it } from 'vitest';
import {
  firstOpen,
  isDone,
  NOTHING_KNOWN,
  openSteps,
  type SetupFacts,
  STEPS,
  stepAfter,
  stepOf,
} from './steps';

const EMPTY: SetupFacts = {
  openDays: 0,
  employees: 0,
  scheduledEmployees: 0,
  services: 0,
  bookableServices: 0,
  owners: 0,
  invitedOwners: 0,
  voiceConnections: 0,
};
const READY: SetupFacts = {
  openDays: 6,
  employees: 2,
  scheduledEmployees: 2,
  services: 8,
  bookableServices: 8,
  owners: 1,
  invitedOwners: 0,
  voiceConnections: 1,
};

describe('the steps of a new salon', () => {
  it('are all open but its details, in order', () => {
    expect(openSteps(EMPTY)).toEqual(STEPS.slice(1));
    expect(firstOpen(EMPTY)).toBe('hours');
  });

  it('are none once it is ready', () => {
    expect(openSteps(READY)).toEqual([]);
    expect(firstOpen(READY)).toBe('phone');
  });

  it('are not said to be open while that is not known', () => {
    expect(openSteps(NOTHING_KNOWN)).toEqual([]);
    expect(isDone('hours', NOTHING_KNOWN)).toBeUndefined();
    expect(isDone('owner', { ...EMPTY, invitedOwners: undefined })).toBeUndefined();
  });

  it.each([
    ['an employee without hours', { employees: 1 }, 'team'],
    ['a service that no employee does', { services: 1 }, 'services'],
  ] as const)('stay open with %s', (_, facts, step) => {
    expect(isDone(step, { ...EMPTY, ...facts })).toBe(false);
  });

  it('count an invitation as an owner', () => {
    expect(isDone('owner', { ...EMPTY, invitedOwners: 1 })).toBe(true);
  });

  it('are read from the address, and nothing else is', () => {
    expect(stepOf('hours')).toBe('hours');
    expect(stepOf('elsewhere')).toBeUndefined();
    expect(stepOf(null)).toBeUndefined();
    expect(stepAfter('phone')).toBeUndefined();
    expect(stepAfter('details')).toBe('hours');
  });
});
