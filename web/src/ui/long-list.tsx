import { Box } from '@chakra-ui/react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

/** From here on only the rows in sight are in the document. */
const VIRTUAL_FROM = 100;

type LongListProps<T> = {
  items: T[];
  keyOf: (item: T) => string;
  /** A first guess; rows are measured as they appear. */
  rowHeight: number;
  children: (item: T) => ReactNode;
};

/** A list that stays quick however long it gets. */
export function LongList<T>(props: LongListProps<T>) {
  return props.items.length > VIRTUAL_FROM ? <VirtualList {...props} /> : <PlainList {...props} />;
}

function PlainList<T>({ items, keyOf, children }: LongListProps<T>) {
  return (
    <Box as="ul" listStyleType="none">
      {items.map((item) => (
        <li key={keyOf(item)}>{children(item)}</li>
      ))}
    </Box>
  );
}

function VirtualList<T>({ items, keyOf, rowHeight, children }: LongListProps<T>) {
  const list = useRef<HTMLDivElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    const top = list.current?.getBoundingClientRect().top ?? 0;
    setScrollMargin(top + window.scrollY);
  }, []);
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => keyOf(items[index] as T),
    overscan: 8,
    scrollMargin,
  });
  return (
    <Box as="ul" ref={list} position="relative" listStyleType="none" style={{ height: rows.getTotalSize() }}>
      {rows.getVirtualItems().map(({ index, key, start }) => (
        <Box
          as="li"
          key={key}
          ref={rows.measureElement}
          data-index={index}
          aria-setsize={items.length}
          aria-posinset={index + 1}
          position="absolute"
          insetX="0"
          top="0"
          style={{ transform: `translateY(${start - scrollMargin}px)` }}
        >
          {children(items[index] as T)}
        </Box>
      ))}
    </Box>
  );
}
