import { describe, expect, it } from 'vitest';
import { SyncState, SyncStep } from '../gen/frontdesk/calendarsync/v1/appointment_sync_pb';
import { DifferenceKind } from '../gen/frontdesk/calendarsync/v1/consistency_pb';
import {
  changedText,
  differencesLeft,
  differenceText,
  plannedText,
  repairText,
  stateText,
  stepText,
  troubleText,
} from './wording';

const enumerated = (values: Record<string, string | number>): number[] =>
  Object.values(values).filter((value): value is number => typeof value === 'number');

describe('an event on a side', () => {
  it('has words of its own for each state and step', () => {
    const states = enumerated(SyncState)
      .filter((state) => state !== SyncState.UNSPECIFIED)
      .map((state) => stateText(state).label);
    expect(new Set(states).size).toBe(states.length);
    const steps = enumerated(SyncStep)
      .filter((step) => step !== SyncStep.UNSPECIFIED)
      .map((step) => stepText(step));
    expect(new Set(steps).size).toBe(steps.length);
  });

  it('is said to differ in what differs and in nothing else', () => {
    const text = (kind: DifferenceKind, fields: string[] = []) => differenceText({ kind, fields });
    expect(text(DifferenceKind.MISSING)).toBe('Missing there');
    expect(text(DifferenceKind.EXTRA)).toBe('Only there');
    expect(text(DifferenceKind.CHANGED, ['title'])).toBe('Has another title');
    expect(text(DifferenceKind.CHANGED, ['starts_at', 'ends_at'])).toBe('Has another time');
    expect(text(DifferenceKind.CHANGED, ['title', 'starts_at', 'ends_at'])).toBe(
      'Has another time and another title',
    );
    expect(text(DifferenceKind.CHANGED, ['ends_at'])).toBe('Has another end');
    expect(repairText({ kind: DifferenceKind.EXTRA })).toBe('Take it out');
    expect(repairText({ kind: DifferenceKind.CHANGED })).toBe('Write it again');
  });

  it('says who changed it, in the book and there, as far as that is known', () => {
    const people = {
      me: 'u0',
      employees: [{ userId: 'u1', name: 'Mia Larsen' }],
      members: [{ userId: 'u2', name: 'Olivia Hart' }],
    };
    const inBook = (actor: string) => Object.values(plannedText({ actor }, people)).join('');
    expect(
      ['user:u1', 'user:u2', 'user:u0', 'user:u9', 'agent:c1', 'service:scheduling', ''].map(inBook),
    ).toEqual([
      'Changed by Mia Larsen',
      'Changed by Olivia Hart',
      'Changed by you',
      'Changed by a team member',
      'Changed by the phone agent',
      'Changed by Frontdesk',
      'Meant to be there since',
    ]);
    expect(changedText({ changedBy: 'mia@example.com' }).who).toBe(' by mia@example.com');
    expect(changedText({ changedBy: '' })).toEqual({ what: 'Changed', who: '' });
  });
});

it('repaired differences are no longer counted, unless a check found more than it lists', () => {
  expect(differencesLeft({ differenceCount: 1 }, 0)).toBe(0);
  expect(differencesLeft({ differenceCount: 3 }, 2)).toBe(2);
  expect(differencesLeft({ differenceCount: 800 }, 499)).toBe(800);
});

it('what is not in step is told apart from what is on its way there', () => {
  expect(troubleText(1, 2, 0)).toBe('Not in step: 1 difference, 2 calendars that could not be read.');
  expect(troubleText(264, 0, 260)).toBe(
    'Not in step: 264 differences. 260 of them are being written already.',
  );
  expect(troubleText(2, 0, 2)).toBe('Not in step: 2 differences. All that differs is being written already.');
});
