// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { LongList } from './long-list';
import { LongTable } from './long-table';
import { UiProvider } from './provider';

const ROW_PX = 40;
const numbers = (count: number) => Array.from({ length: count }, (_, row) => row);

function Table({ rows }: { rows: number }) {
  return (
    <UiProvider nonce={undefined}>
      <LongTable
        label="Numbers"
        head={<th scope="col">Number</th>}
        items={numbers(rows)}
        keyOf={String}
        rowHeight={ROW_PX}
      >
        {(row) => (
          <td>
            <button type="button">Number {row}</button>
          </td>
        )}
      </LongTable>
    </UiProvider>
  );
}

const button = (row: number) => screen.queryByRole('button', { name: `Number ${row}` });
const rows = () => screen.getAllByRole('row');

function scrollTo(row: number): void {
  vi.stubGlobal('scrollY', row * ROW_PX);
  fireEvent.scroll(window);
}

beforeEach(() => {
  fillJsdomGaps();
  // It lays nothing out: each row is as high as it is taken to be.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 100, ROW_PX));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('a long table', () => {
  it('has 100 rows in the document, and of more only those in sight', () => {
    const { rerender } = render(<Table rows={100} />);
    expect(rows()).toHaveLength(101);
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBeNull();
    rerender(<Table rows={101} />);
    expect(rows().length).toBeLessThan(50);
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('102');
  });

  it('keeps every row while one has the focus, and only those in sight from the next change on', () => {
    const { rerender } = render(<Table rows={100} />);
    act(() => screen.getByText('Number 99').focus());
    const focused = document.activeElement as HTMLElement;
    rerender(<Table rows={110} />);
    expect(screen.queryByText('Number 50')).toBeTruthy();
    expect(document.activeElement).toBe(focused);
    act(() => focused.blur());
    rerender(<Table rows={111} />);
    expect(screen.queryByText('Number 50')).toBeNull();
  });

  it('stays as it is when it gets shorter, so that a row keeps the focus', () => {
    const { rerender } = render(<Table rows={101} />);
    act(() => button(0)?.focus());
    const focused = document.activeElement;
    rerender(<Table rows={100} />);
    expect(document.activeElement).toBe(focused);
    expect(focused).toBe(button(0));
  });

  it('says which of its rows are in sight', () => {
    render(<Table rows={500} />);
    scrollTo(480);
    expect(button(0)).toBeNull();
    expect(rows()[0]?.getAttribute('aria-rowindex')).toBe('1');
    expect(rows().at(-1)?.getAttribute('aria-rowindex')).toBe('501');
    expect(rows().at(-1)?.textContent).toBe('Number 499');
  });

  it('keeps the row with the focus, and the next', () => {
    render(<Table rows={500} />);
    act(() => button(3)?.focus());
    scrollTo(300);
    expect(document.activeElement).toBe(button(3));
    expect([2, 3, 4].map((row) => button(row) !== null)).toEqual([true, true, true]);
    expect([5, 100].map(button)).toEqual([null, null]);
    expect(button(301)).toBeTruthy();
  });
});

describe('a long list', () => {
  it('says how long it is and which of its rows are in sight', () => {
    render(
      <UiProvider nonce={undefined}>
        <LongList label="Numbers" items={numbers(500)} keyOf={String} rowHeight={ROW_PX} lined>
          {(row) => `Number ${row}`}
        </LongList>
      </UiProvider>,
    );
    scrollTo(480);
    const last = screen.getAllByRole('listitem').at(-1);
    expect([last?.textContent, last?.getAttribute('aria-posinset')]).toEqual(['Number 499', '500']);
    expect(last?.getAttribute('aria-setsize')).toBe('500');
    expect(screen.getAllByRole('listitem').length).toBeLessThan(50);
  });
});
