import { expect, it } from 'vitest';
import { changedPart } from './changed-part';

const words = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `word${from + index}`).join(' ');

it('tells short texts in full', () => {
  expect(changedPart('Good day.', 'Hello.')).toEqual(['Good day.', 'Hello.']);
});

it('tells of long texts what changed, with the words around it', () => {
  const was = `${words(1, 40)} old ${words(41, 80)}`;
  const is = `${words(1, 40)} new and longer ${words(41, 80)}`;
  expect(changedPart(was, is)).toEqual([
    `… ${words(33, 40)} old ${words(41, 48)} …`,
    `… ${words(33, 40)} new and longer ${words(41, 48)} …`,
  ]);
});

it('tells what was added at the end, and where that is', () => {
  const was = words(1, 60);
  expect(changedPart(was, `${was}\nNever promise a discount.`)).toEqual([
    `… ${words(53, 60)}`,
    `… ${words(53, 60)} Never promise a discount.`,
  ]);
});

it('tells a text that was replaced altogether in full', () => {
  const [was, is] = [words(1, 40), words(100, 140)];
  expect(changedPart(was, is)).toEqual([was, is]);
});

it('counts no word twice where the new text repeats the old', () => {
  const was = words(1, 50);
  const [from, to] = changedPart(was, `${was} ${was}`);
  expect(from).toBe(`… ${words(43, 50)}`);
  expect(to.endsWith(words(1, 50))).toBe(true);
});
