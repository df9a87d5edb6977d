import { describe, expect, it, vi } from 'vitest';
import { agoText } from './ago';

const NOW = new Date('2026-11-24T10:00:00Z');
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

describe('how long ago something was', () => {
  it('is given in one unit, rounded towards now', () => {
    expect([-20, -90, -3 * 3600, -47 * 3600, -49 * 3600].map((s) => agoText(at(s), NOW))).toEqual([
      'just now',
      '1 minute ago',
      '3 hours ago',
      'yesterday',
      '2 days ago',
    ]);
  });

  it('is told in the language of the pages, whatever the browser speaks', () => {
    const { RelativeTimeFormat } = Intl;
    vi.spyOn(Intl, 'RelativeTimeFormat').mockImplementation(function inGerman(language = 'de', options) {
      return new RelativeTimeFormat(language, options);
    });
    expect(agoText(at(-90), NOW)).toBe('1 minute ago');
  });

  it('works the other way round', () => {
    expect([20, 80, 7 * 86_400].map((s) => agoText(at(s), NOW))).toEqual([
      'in a moment',
      'in 1 minute',
      'in 7 days',
    ]);
  });

  it('carries what rounds up to the next unit', () => {
    expect([59.6, 3599, 3600 - 31, 86_399, 23 * 3600].map((s) => agoText(at(s), NOW))).toEqual([
      'in 1 minute',
      'in 1 hour',
      'in 59 minutes',
      'tomorrow',
      'in 23 hours',
    ]);
  });

  it('leaves a link of seven days its seven days a moment later', () => {
    expect(agoText(at(7 * 86_400 - 90), NOW)).toBe('in 7 days');
  });
});
