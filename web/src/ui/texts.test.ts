import { describe, expect, it } from 'vitest';
import { initialsOf } from './avatar';
import { moneyText } from './money';
import { phoneText } from './phone';

describe('telephone numbers', () => {
  it('are grouped for reading aloud', () => {
    expect(phoneText('+447700900123')).toBe('+44 7700 900 123');
    expect(phoneText('+442079460123')).toBe('+44 20 7946 0123');
    expect(phoneText('+441174960103')).toBe('+44 117 496 0103');
    expect(phoneText('+441225460123')).toBe('+44 1225 460 123');
    expect(phoneText('+12125550123')).toBe('+1 212 555 0123');
    expect(phoneText('+353861234567')).toBe('+353 861 234 567');
  });

  it('stay unchanged when they are invalid', () => {
    expect(phoneText('')).toBe('');
    expect(phoneText('anonymous')).toBe('anonymous');
  });
});

describe('amounts', () => {
  it('show minor units only when there are some', () => {
    expect(moneyText(4500, 'GBP')).toMatch(/^£45$/);
    expect(moneyText(4550, 'GBP')).toMatch(/^£45\.50$/);
  });

  it('know currencies without minor units', () => {
    expect(moneyText(4500, 'JPY')).toMatch(/4,500/);
    expect(moneyText(4500, '')).toBe('');
  });
});

describe('initials', () => {
  it('are first and last, whatever lies between', () => {
    expect(['Ada Byron King', 'cher', '  ', '李 小龙', 'Willow & Co'].map(initialsOf)).toEqual([
      'AK',
      'C',
      '',
      '李小',
      'WC',
    ]);
  });
});
