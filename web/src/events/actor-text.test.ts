import { expect, it } from 'vitest';
import { actorText, peopleOf } from './actor-text';

const ME = '40d825a7-9689-53f6-bf74-17aeaacbaa41';
const OLIVIA = '01900000-0000-7000-8000-0000000000e1';
const NAMES = new Map([[OLIVIA, 'Olivia Hart']]);

it.each([
  [`user:${ME}`, 'You'],
  [`user:${OLIVIA}`, 'Olivia Hart'],
  ['user:01900000-0000-7000-8000-0000000000e7', 'A team member (…0000e7)'],
  ['agent:01900000-0000-7000-8000-0000000000c1', 'The phone agent (…0000c1)'],
  ['service:telemetry', 'Frontdesk (calls)'],
  ['service:of-tomorrow', 'Frontdesk (of-tomorrow)'],
  ['import', 'import'],
])('%s is shown as %s', (actor, text) => {
  expect(actorText(actor, ME, NAMES)).toBe(text);
});

it('asks for the name of each person once', () => {
  const actors = [`user:${ME}`, 'agent:01900000-0000-7000-8000-0000000000c1', `user:${OLIVIA}`, `user:${ME}`];
  expect(peopleOf(actors)).toEqual([OLIVIA, ME]);
});
