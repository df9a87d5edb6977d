import { expect, it } from 'vitest';
import { bookedByText } from './booked-by-text';

const people = { employees: [{ name: 'Mia Larsen', userId: '2' }], userId: '1' };
const at = (time: string) => new Date(`2026-11-27T${time}:00Z`);

it('names who booked, and whether the call still went on', () => {
  const text = (actor: string, booked: string, ended: string | null) =>
    bookedByText(actor, at(booked), ended === null ? null : at(ended), people);
  expect(text('user:2', '10:05', '10:00')).toBe('Booked by Mia Larsen after the call');
  expect(text('user:1', '09:58', '10:00')).toBe('Booked by you during the call');
  expect(text('user:3', '09:58', null)).toBe('Booked by a team member during the call');
  expect(text('', '10:05', '10:00')).toBe('Booked after the call');
});
