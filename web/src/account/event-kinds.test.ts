import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import {
  SecurityEventKind as Kind,
  SecurityEventKindSchema,
  SecurityEventSchema,
} from '../gen/frontdesk/auth/v1/security_pb';
import { lookOf } from './event-kinds';

const sentence = (kind: Kind, parts: { detail?: string; actorName?: string } = {}) =>
  lookOf(kind).says(create(SecurityEventSchema, { kind, ...parts }));

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
    expect(sentence(Kind.ROLE_CHANGED, { actorName: 'Olivia Hart', detail: 'MANAGER' })).toBe(
      'Olivia Hart changed your role to Manager.',
    );
    expect(sentence(Kind.INVITED, { detail: 'nadia@demo.test' })).toBe(
      'You invited nadia@demo.test to a business.',
    );
    expect(sentence(Kind.INVITATION_WITHDRAWN, { detail: 'nadia@demo.test' })).toBe(
      'You withdrew the invitation to nadia@demo.test.',
    );
    expect(sentence(Kind.ROLE_CHANGED)).toBe('Your role was changed.');
    expect(sentence(Kind.EMAIL_CHANGED, { detail: 'new@demo.test' })).toBe(
      'Your e-mail was changed to new@demo.test.',
    );
  });
});
