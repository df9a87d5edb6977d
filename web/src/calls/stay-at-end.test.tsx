// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { StrictMode, useLayoutEffect } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useStayAtEnd } from './stay-at-end';

/** What moved the page, in order. */
let moves: string[] = [];
/** Where the conversation ends, in a window 768 pixels high. */
let bottom = 0;

beforeEach(() => {
  moves = [];
  bottom = 700;
  Element.prototype.scrollIntoView = () => void moves.push('end');
  Element.prototype.getBoundingClientRect = () => ({ bottom }) as DOMRect;
});
afterEach(cleanup);

function Page({ lines }: { lines: number }) {
  // As the router does to a page that opens.
  useLayoutEffect(() => void moves.push('top'), []);
  return <Call lines={lines} />;
}

function Call({ lines }: { lines: number }) {
  const { end, left, unseen, jump } = useStayAtEnd(true, lines);
  return (
    <>
      {left && (
        <button type="button" onClick={jump}>
          Jump, {unseen} new
        </button>
      )}
      <div ref={end} tabIndex={-1} data-testid="end" />
    </>
  );
}

const frame = () => act(() => new Promise((resolve) => requestAnimationFrame(resolve)));

async function opened(lines: number) {
  const page = (count: number) => (
    <StrictMode>
      <Page lines={count} />
    </StrictMode>
  );
  const { rerender } = render(page(lines));
  await frame();
  return (count: number) => rerender(page(count));
}

function scrolled(to: number): void {
  bottom = to;
  fireEvent.scroll(window);
}

it('opens at the end, though the router scrolls a new page to its top', async () => {
  await opened(6);
  expect(moves.at(-1)).toBe('end');
  expect(screen.queryByRole('button')).toBeNull();
});

it('follows what is said', async () => {
  const says = await opened(6);
  moves = [];
  says(7);
  expect(moves).toEqual(['end']);
});

it('leaves a reader who scrolled up in place, counts what is new, and leads back to it', async () => {
  const says = await opened(6);
  scrolled(2000);
  screen.getByRole('button', { name: 'Jump, 0 new' });
  moves = [];
  says(7);
  scrolled(2100);
  says(9);
  expect(moves).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Jump, 3 new' }));
  expect(moves).toContain('end');
  expect(screen.queryByRole('button')).toBeNull();
  expect(document.activeElement).toBe(screen.getByTestId('end'));
});

it('leaves a reader in place who is below the conversation', async () => {
  const says = await opened(6);
  scrolled(-300);
  moves = [];
  says(7);
  expect(moves).toEqual([]);
});

it('follows again once the reader has scrolled back to the end', async () => {
  await opened(6);
  scrolled(2000);
  scrolled(760);
  await vi.waitFor(() => expect(screen.queryByRole('button')).toBeNull());
});
