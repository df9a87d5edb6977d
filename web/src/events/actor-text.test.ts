import { expect, it } from 'vitest';
import { actorText } from './actor-text';

const ME = '40d825a7-9689-53f6-bf74-17aeaacbaa41';

it.each([
  [`user:${ME}`, 'You'],
  ['user:01900000-0000-7000-8000-0000000000e7', 'A team member (…0000e7)'],
  ['agent:01900000-0000-7000-8000-0000000000c1', 'The phone agent (…0000c1)'],
  ['service:scheduling', 'Frontdesk (scheduling)'],
  ['import', 'import'],
])('%s is shown as %s', (actor, text) => {
  expect(actorText(actor, ME)).toBe(text);
});
