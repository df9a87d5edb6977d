import { expect, it } from 'vitest';
import { forwardingCodes, isDialable } from './forwarding';

it('a number is dialled without what only people read', () => {
  const codes = new Map(forwardingCodes('+44 (20) 7946-0018'));
  expect(codes.get('Every call')).toBe('**21*+442079460018#');
  expect(codes.get('Stop forwarding')).toBe('##002#');
});

it('only a number in full is dialled', () => {
  for (const number of ['+44 (20) 7946-0018', '020 7946 0018', '+4930123456'])
    expect(isDialable(number), number).toBe(true);
  for (const number of ['nonsense', '+', '0207', 'call 020 7946 0018', '+44 20 7946 0018 0018 0018'])
    expect(isDialable(number), number).toBe(false);
});
