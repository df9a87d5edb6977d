import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { Table, type TableProps } from './table';
import { useLong, useRowHeight, useVirtualRows, VIRTUAL_FROM } from './virtual-rows';

type LongTableProps<T> = Omit<TableProps, 'children' | 'rowCount' | 'fixed'> & {
  /** The cells of the head. */
  head: ReactNode;
  items: T[];
  keyOf: (item: T) => string;
  /** A first guess; rows are measured as they appear. */
  rowHeight: number;
  /** The cells of a row. */
  children: (item: T) => ReactNode;
};

type PartProps<T> = LongTableProps<T> & { seen: RefObject<number> };
type PlainProps<T> = PartProps<T> & { onLong: () => void };

/** A table that stays quick however many rows it gets. */
export function LongTable<T>(props: LongTableProps<T>) {
  const seen = useRef(props.rowHeight);
  const [isLong, setIsLong] = useState(props.items.length > VIRTUAL_FROM);
  return isLong ? (
    <VirtualTable {...props} seen={seen} />
  ) : (
    <PlainTable {...props} seen={seen} onLong={() => setIsLong(true)} />
  );
}

function PlainTable<T>({
  head,
  items,
  keyOf,
  rowHeight: _,
  seen,
  onLong,
  children,
  ...table
}: PlainProps<T>) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowHeight(body, items.length, seen);
  useLong(body, items.length, onLong);
  return (
    <Table {...table}>
      <thead>
        <tr>{head}</tr>
      </thead>
      <tbody ref={body}>
        {items.map((item) => (
          <tr key={keyOf(item)}>{children(item)}</tr>
        ))}
      </tbody>
    </Table>
  );
}

function VirtualTable<T>({ head, items, keyOf, rowHeight: _, seen, children, ...table }: PartProps<T>) {
  const { place, rows, height, measure, onFocus } = useVirtualRows<HTMLTableSectionElement, T>({
    items,
    keyOf,
    rowHeight: seen.current,
  });
  const headRow = useRef<HTMLTableRowElement>(null);
  const columns = useColumns(headRow);
  const lines = rows.flatMap(({ item, index, key, start }, at) => [
    <Gap key={`before ${key}`} height={start - (rows[at - 1]?.end ?? 0)} />,
    <tr key={key} ref={measure} data-index={index} aria-rowindex={index + 2}>
      {children(item)}
    </tr>,
  ]);
  return (
    <Table {...table} rowCount={items.length + 1} fixed={columns !== undefined}>
      {columns && (
        <colgroup>
          {columns.map((width, column) => (
            <col key={column} style={{ width }} />
          ))}
        </colgroup>
      )}
      <thead>
        <tr ref={headRow} aria-rowindex={1}>
          {head}
        </tr>
      </thead>
      <tbody ref={place} onFocus={onFocus}>
        {lines}
        <Gap height={height - (rows.at(-1)?.end ?? 0)} />
      </tbody>
    </Table>
  );
}

/** Takes the place of rows that are not in the document. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      <td style={{ height }} />
    </tr>
  );
}

/** No column is narrower than a few words: rows further on may have more to say than the first. */
const NARROWEST_PX = 96;

/** The widths that the first rows give the columns, as shares of the table: later rows must not move them about. */
function useColumns(head: RefObject<HTMLTableRowElement | null>): string[] | undefined {
  const [columns, setColumns] = useState<string[]>();
  useLayoutEffect(() => {
    const cells = [...(head.current?.cells ?? [])];
    if (columns?.length === cells.length) return;
    const widths = cells.map((cell) => Math.max(cell.getBoundingClientRect().width, NARROWEST_PX));
    const all = widths.reduce((sum, width) => sum + width, 0);
    // Columns that came or went are laid out by the browser first.
    setColumns(columns || all === 0 ? undefined : widths.map((width) => `${(100 * width) / all}%`));
  });
  return columns;
}
