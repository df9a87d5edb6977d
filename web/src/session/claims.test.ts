import { expect, it } from 'vitest';
import { claimsOf, expired } from './claims';

it('leaves an expired token everything but its time', () => {
  const claims = { sub: 'u1', name: 'Zoë Łukasz', exp: 2_000_000_000 };
  const token = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;
  const past = expired(token, 1_700_000_000_900);
  expect(claimsOf(past)).toEqual({ ...claims, exp: 1_700_000_000 });
  expect(past).toMatch(/^e30\.[\w-]+\.signature$/);
});
