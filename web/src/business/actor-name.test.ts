import { expect, it } from 'vitest';
import { actorName } from './actor-name';

const employees = [
  { name: 'Mia Larsen', userId: 'u1' },
  { name: 'Noah Adeyemi', userId: '' },
];

it('names people, the phone agent and Frontdesk itself', () => {
  const named = ['user:me', 'user:u1', 'user:u2', 'agent:c1', 'service:local', ''].map((actor) =>
    actorName(actor, employees, 'me'),
  );
  expect(named).toEqual(['You', 'Mia Larsen', 'A team member', 'The phone agent', 'Frontdesk', '']);
});
