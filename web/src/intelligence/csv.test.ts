import { describe, expect, it } from 'vitest';
import { csvOf, fileName } from './csv';

const line = (...cells: (string | number | undefined)[]) => csvOf(['a'], [cells]).split('\r\n')[1];

describe('a file for spreadsheets', () => {
  it('begins with the mark Excel looks for, and ends every line', () => {
    expect(csvOf(['Service', 'Booked'], [['Cut', 3]])).toBe('"Service","Booked"\r\n"Cut",3\r\n');
  });

  it.each([
    ['Cut, wash', '"Cut, wash"'],
    ['5" trim', '"5"" trim"'],
    ['two\nlines', '"two\nlines"'],
    ['; here', '"; here"'],
    [' led', '" led"'],
    ['Färben & Föhnen', '"Färben & Föhnen"'],
    ['', '""'],
  ])('quotes text: %j', (text, written) => {
    expect(line(text)).toBe(written);
  });

  it.each(['=1+1', '+49', '-5', '@SUM(A1)', '\tx', ' =x', '＝1', '\r=1'])(
    'lets no text be a formula: %j',
    (text) => {
      expect(line(text)?.replace(/^"/, '')).toMatch(/^'/);
    },
  );

  it.each([
    ['Max;=1+1;b', `"Max;'=1+1;b"`],
    ['a; "=1"', `"a;' ""=1"""`],
    ['a\n- b', `"a\n'- b"`],
    ['a; b', '"a; b"'],
  ])('lets none begin where ";" separates cells: %j', (text, written) => {
    expect(line(text)).toBe(written);
  });

  it('leaves numbers numbers, below nothing too, and what is unknown empty', () => {
    expect(line(-5, 0, 4.5, undefined, 'x')).toBe('-5,0,4.5,,"x"');
  });

  it('is called by its business and dates', () => {
    expect(fileName('Willow & Co', 'services', '2026-10-26', '2026-11-22')).toBe(
      'willow-co-services-2026-10-26-to-2026-11-22.csv',
    );
    expect(fileName('../"', 'demand', 'a', 'b')).toBe('salon-demand-a-to-b.csv');
    expect(fileName('Zürich/Süd', 'x', 'a', 'b')).toBe('zurich-sud-x-a-to-b.csv');
  });
});
