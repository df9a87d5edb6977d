import { Box } from '@chakra-ui/react';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { useLong, useRowHeight, useVirtualRows, VIRTUAL_FROM } from './virtual-rows';

type LongListProps<T> = {
  items: T[];
  keyOf: (item: T) => string;
  /** A first guess; rows are measured as they appear. */
  rowHeight: number;
  /** What the list is of, where no heading says it. */
  label?: string;
  /** With a line between its rows. */
  lined?: boolean;
  children: (item: T) => ReactNode;
};

type PartProps<T> = LongListProps<T> & { seen: RefObject<number> };
type PlainProps<T> = PartProps<T> & { onLong: () => void };

/** A list that stays quick however long it gets. */
export function LongList<T>(props: LongListProps<T>) {
  const seen = useRef(props.rowHeight);
  const [isLong, setIsLong] = useState(props.items.length > VIRTUAL_FROM);
  return isLong ? (
    <VirtualList {...props} seen={seen} />
  ) : (
    <PlainList {...props} seen={seen} onLong={() => setIsLong(true)} />
  );
}

const line = (lined: boolean | undefined, index: number) =>
  lined && index > 0 ? { borderTop: '1px solid', borderColor: 'line' } : {};

function PlainList<T>({ items, keyOf, label, lined, seen, onLong, children }: PlainProps<T>) {
  const list = useRef<HTMLDivElement>(null);
  useRowHeight(list, items.length, seen);
  useLong(list, items.length, onLong);
  return (
    <Box as="ul" ref={list} aria-label={label} listStyleType="none">
      {items.map((item, index) => (
        <Box as="li" key={keyOf(item)} {...line(lined, index)}>
          {children(item)}
        </Box>
      ))}
    </Box>
  );
}

function VirtualList<T>({ items, keyOf, label, lined, seen, children }: PartProps<T>) {
  const { place, rows, height, measure, onFocus } = useVirtualRows<HTMLDivElement, T>({
    items,
    keyOf,
    rowHeight: seen.current,
  });
  return (
    <Box
      as="ul"
      ref={place}
      aria-label={label}
      position="relative"
      listStyleType="none"
      style={{ height }}
      onFocus={onFocus}
    >
      {rows.map(({ item, index, key, start }) => (
        <Box
          as="li"
          key={key}
          ref={measure}
          data-index={index}
          aria-setsize={items.length}
          aria-posinset={index + 1}
          position="absolute"
          insetX="0"
          // A transform would put a row's menu below the next row.
          style={{ top: start }}
          {...line(lined, index)}
        >
          {children(item)}
        </Box>
      ))}
    </Box>
  );
}
