import { describe, expect, it } from 'vitest';
import {
  DAY_STEPS,
  firstOpen,
  isDone,
  leftWith,
  NOTHING_KNOWN,
  openSteps,
  type SetupFacts,
  STEPS,
  stepAfter,
  stepOf,
  TODOS,
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
  agentVersion: 0,
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
  agentVersion: 3,
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
  });

  it('are told on a day as long as the day is empty without one of them', () => {
    expect(leftWith(DAY_STEPS, { ...READY, bookableServices: 0, voiceConnections: 0 })).toEqual([
      'services',
      'phone',
    ]);
    expect(leftWith(DAY_STEPS, { ...READY, voiceConnections: 0 })).toEqual([]);
  });

  it('are followed by the agent, which is left until a version is published', () => {
    expect(leftWith(TODOS, EMPTY)).toEqual([...STEPS.slice(1), 'agent']);
    expect(leftWith(TODOS, { ...READY, agentVersion: 0 })).toEqual(['agent']);
    expect(leftWith(TODOS, { ...READY, agentVersion: undefined })).toEqual([]);
    expect(leftWith(TODOS, READY)).toEqual([]);
  });

  it('lead on in order, and from the last to one that is still open', () => {
    expect(stepAfter('details', EMPTY)).toBe('hours');
    expect(stepAfter('phone', { ...READY, services: 0, bookableServices: 0 })).toBe('services');
    expect(stepAfter('phone', READY)).toBeUndefined();
  });

  it('do not lead from the last back to itself', () => {
    expect(stepAfter('phone', { ...READY, voiceConnections: 0 })).toBeUndefined();
  });
});
