import { expect, it } from 'vitest';
import { answeredIn, offBy } from './checks';

it.each([
  [0, 'good', 'As the server’s'],
  [-4_900, 'good', 'As the server’s'],
  [12_000, 'warn', '12 seconds ahead of the server’s. Set it by the network.'],
  [-30_000, 'warn', '30 seconds behind the server’s. Set it by the network.'],
  [-90_000, 'bad', '90 seconds behind the server’s. Signing in may fail: set it by the network.'],
  [43_201_000, 'bad', '12 h ahead of the server’s. Signing in may fail: set it by the network.'],
  [120_000, 'bad', '2 min ahead of the server’s. Signing in may fail: set it by the network.'],
])('a clock that is off by %i ms is %s', (ms, state, text) => {
  expect(offBy(ms)).toEqual({ state, text });
});

it('an answer after more than a second is slow', () => {
  expect(answeredIn(412.4)).toEqual({ state: 'good', text: 'Answered in 412 ms' });
  expect(answeredIn(1500).state).toBe('warn');
});
