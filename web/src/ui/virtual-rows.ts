import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** With more rows than these, only the rows in sight are in the document. */
export const VIRTUAL_FROM = 100;

/** Of rows above and below the screen, so that the keyboard finds the next one. */
const OVERSCAN = 8;

type Rows<T> = {
  items: T[];
  keyOf: (item: T) => string;
  rowHeight: number;
};

/** Which rows of a list are in sight while the window scrolls. `place` is the element that its first row begins at. */
export function useVirtualRows<E extends HTMLElement, T>({ items, keyOf, rowHeight }: Rows<T>) {
  const place = useRef<E>(null);
  const scrollMargin = useTop(place);
  const [held, setHeld] = useState<string>();
  const heldAt = held === undefined ? -1 : items.findIndex((item) => keyOf(item) === held);
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => keyOf(items[index] as T),
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    initialOffset: () => window.scrollY,
    // To the fraction of a pixel: what is rounded adds up over many rows.
    measureElement: (row, entry) => entry?.borderBoxSize[0]?.blockSize ?? row.getBoundingClientRect().height,
    overscan: OVERSCAN,
    rangeExtractor: (range) => withHeld(heldAt, range),
    scrollMargin,
  });
  return {
    place,
    rows: rows.getVirtualItems().map(({ index, key, start, end }) => ({
      item: items[index] as T,
      index,
      key,
      /** How far its edges are below the list's beginning. */
      start: start - scrollMargin,
      end: end - scrollMargin,
    })),
    height: rows.getTotalSize(),
    measure: rows.measureElement,
    /** The row with the focus stays, and with it what was opened from it, and so do the rows that Tab leads to. */
    onFocus: ({ target }: FocusEvent) => {
      const row = target.closest<HTMLElement>('[data-index]');
      const item = row && place.current?.contains(row) && items[Number(row.dataset.index)];
      if (item) setHeld(keyOf(item));
    },
  };
}

function withHeld(row: number, range: Range): number[] {
  const indexes = defaultRangeExtractor(range);
  if (row < 0) return indexes;
  const held = [row - 1, row, row + 1].filter((index) => index >= 0 && index < range.count);
  return [...new Set([...indexes, ...held])].sort((one, other) => one - other);
}

/** How far an element is below the page's beginning. Content above it may load later or grow. */
function useTop(place: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (place.current) setTop(Math.round(place.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [place]);
  return top;
}

/** Notes how high a row is while all rows are in the document, so that the page stays in place when they no longer are. */
export function useRowHeight(place: RefObject<HTMLElement | null>, count: number, seen: RefObject<number>) {
  useEffect(() => {
    const height = place.current?.offsetHeight ?? 0;
    if (height > 0 && count > 0) seen.current = height / count;
  });
}

/** Reports that the rows are too many to stay in the document, once none of them has the focus. */
export function useLong(place: RefObject<HTMLElement | null>, count: number, onLong: () => void) {
  useLayoutEffect(() => {
    if (count > VIRTUAL_FROM && !place.current?.contains(document.activeElement)) onLong();
  });
}
