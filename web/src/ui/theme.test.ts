import { expect, it } from 'vitest';
import { system } from './theme';

/** A rem is 16px: the page leaves the browser's own size alone. */
const pixels = (width: string | null | undefined) => Number.parseFloat(width ?? '') * 16;

it('the breakpoints are those the specification names, and no others', () => {
  const least = system.breakpoints.values.map(({ name, min }) => [name, pixels(min)]);
  expect(least).toEqual([
    ['sm', 600],
    ['md', 900],
    ['lg', 1200],
    ['xl', 1536],
  ]);
});

it('what is said of no breakpoint holds from 0 on', () => {
  expect(system.css({ opacity: { base: 0.5, sm: 1 } })).toMatchObject({ opacity: 0.5 });
});
