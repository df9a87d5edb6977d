import { expect, it } from 'vitest';
import { forwardingCodes } from './forwarding';

it('a number is dialled without what only people read', () => {
  const codes = new Map(forwardingCodes('+44 (20) 7946-0018'));
  expect(codes.get('Every call')).toBe('**21*+442079460018#');
  expect(codes.get('Stop forwarding')).toBe('##002#');
});
