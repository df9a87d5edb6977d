import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import {
  SecurityEventKind as Kind,
  SecurityEventKindSchema,
  SecurityEventSchema,
} from '../gen/frontdesk/auth/v1/security_pb';
import { lookOf } from './event-kinds';

type Parts = { detail?: string; actorName?: string; businessId?: string };

const sentence = (kind: Kind, parts: Parts = {}, business = 'a business') =>
  lookOf(kind).says(create(SecurityEventSchema, { kind, ...parts }), business);

const UNKNOWN = 'Something happened on your account.';

describe('what a security event says', () => {
  it('is a sentence of its own for every kind of the contract', () => {
    const kinds = SecurityEventKindSchema.values.filter(({ number }) => number !== Kind.UNSPECIFIED);
    const sentences = kinds.map(({ number }) => sentence(number));
    expect(sentences).not.toContain(UNKNOWN);
    expect(new Set(sentences).size).toBe(kinds.length);
    for (const text of sentences) expect(text).toMatch(/^[A-Z].*\.$/);
  });

  it('falls back on a kind that is newer than the page', () => {
    expect(sentence(999 as Kind)).toBe(UNKNOWN);
    expect(sentence(Kind.UNSPECIFIED)).toBe(UNKNOWN);
  });

  it('names who did it and the new value', () => {
    expect(sentence(Kind.INVITED, { detail: 'nadia@demo.test' }, 'Willow & Co')).toBe(
      'You invited nadia@demo.test to Willow & Co.',
    );
    expect(sentence(Kind.INVITATION_WITHDRAWN, { detail: 'nadia@demo.test' })).toBe(
      'You withdrew the invitation of nadia@demo.test to a business.',
    );
    expect(sentence(Kind.EMAIL_CHANGED, { detail: 'new@demo.test' })).toBe(
      'Your e-mail was changed to new@demo.test.',
    );
  });

  it('tells joining, another role and leaving apart', () => {
    const by = { actorName: 'Olivia Hart', businessId: 'b' };
    const willow = (kind: Kind, parts: Parts) => sentence(kind, parts, 'Willow & Co');
    expect(willow(Kind.JOINED, { ...by, detail: 'EMPLOYEE' })).toBe(
      'You joined Willow & Co as employee, invited by Olivia Hart.',
    );
    expect(willow(Kind.JOINED, { businessId: 'b', detail: 'OWNER' })).toBe(
      'You joined Willow & Co as owner.',
    );
    expect(willow(Kind.ROLE_CHANGED, { ...by, detail: 'MANAGER' })).toBe(
      'Olivia Hart changed your role at Willow & Co to manager.',
    );
    expect(willow(Kind.ROLE_CHANGED, by)).toBe('Olivia Hart removed you from Willow & Co.');
    expect(willow(Kind.ROLE_CHANGED, { businessId: 'b' })).toBe('You are no longer a member of Willow & Co.');
    expect(sentence(Kind.ROLE_CHANGED, { detail: 'ADMIN' })).toBe('Your role was changed to admin.');
  });
});
