import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { ContactOutcome, ContactSchema } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { contactText } from './contact-words';

const NOW = new Date('2026-11-24T12:00:00Z');
const call = (more: MessageInitShape<typeof ContactSchema>) =>
  create(ContactSchema, {
    outcome: ContactOutcome.NO_ANSWER,
    recordedAt: timestampFromDate(new Date('2026-11-24T10:12:00Z')),
    recordedByName: 'Ana',
    ...more,
  });
const said = (more: MessageInitShape<typeof ContactSchema>) => contactText(call(more), 'Europe/London', NOW);

it('a call says what came of it, who called and when', () => {
  expect(said({})).toBe('Called, no answer, by Ana, today, 10:12');
  expect(said({ outcome: ContactOutcome.TOLD, note: 'keeps it' })).toBe(
    'Told by Ana, today, 10:12: “keeps it”',
  );
});

it('a call by an account without an employee names no one', () => {
  expect(said({ recordedByName: '', outcome: ContactOutcome.TOLD })).toBe('Told, today, 10:12');
  expect(said({ recordedByName: '', recordedAt: timestampFromDate(new Date('2026-11-23T17:40:00Z')) })).toBe(
    'Called, no answer, yesterday, 17:40',
  );
});
