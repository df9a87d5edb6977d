import { describe, expect, it } from 'vitest';
import { strengthOf, strengthText } from './password-strength';

describe('the strength of a password', () => {
  it('says how much is missing until it is long enough', () => {
    expect(strengthText(strengthOf('pass'))).toBe('4 more characters.');
    expect(strengthText(strengthOf('passwor'))).toBe('One more character.');
  });

  it('grows with the length, whatever the signs are', () => {
    const kinds = ['teapots!', 'teapot and co', 'teapot and a saucer'].map(
      (password) => strengthOf(password).kind,
    );
    expect(kinds).toEqual(['fair', 'good', 'strong']);
  });

  it('counts what people see as one sign as one', () => {
    expect(strengthOf('🫖🫖🫖🫖')).toEqual({ kind: 'short', missing: 4 });
  });

  it.each([
    ['aaaaaaaaaaaaaaaaaaaa', 'repeated'],
    ['abababababababab', 'repeated'],
    ['123456789', 'in a row'],
    ['hgfedcba', 'in a row'],
    ['olivia.hart1', 'about you'],
    ['Olivia2026', 'about you'],
  ])('sees through %s', (password, because) => {
    expect(strengthOf(password, ['Olivia Hart', 'olivia@demo.test'])).toEqual({ kind: 'guessable', because });
  });

  it('lets a name stand in a long password', () => {
    expect(strengthOf('olivia keeps three grey cats', ['Olivia Hart']).kind).toBe('strong');
  });
});
