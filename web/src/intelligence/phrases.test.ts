import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { UnmatchedPhraseSchema } from '../gen/frontdesk/scheduling/v1/matching_pb';
import { inOrder, timesText } from './phrases';

const phrase = (id: string, count: bigint) => create(UnmatchedPhraseSchema, { id, count });
const ids = (phrases: { id: string }[]) => phrases.map(({ id }) => id).join('');

it('a settled phrase keeps its place', () => {
  const [a, b, c, d] = [phrase('a', 9n), phrase('b', 4n), phrase('c', 4n), phrase('d', 1n)];
  expect(ids(inOrder([a, c, b, d], []))).toBe('acbd');
  expect(ids(inOrder([a, c, d], [b]))).toBe('acbd');
  expect(ids(inOrder([a, c, b, d], [c]))).toBe('acbd');
  expect(ids(inOrder([], [d, a]))).toBe('ad');
});

it('shows how often a phrase was said', () => {
  expect([1n, 2n, 1200n].map(timesText)).toEqual(['said once', 'said 2 times', 'said 1,200 times']);
});
