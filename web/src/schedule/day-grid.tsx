import { Box, chakra, Stack } from '@chakra-ui/react';
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef } from 'react';
import { minuteText } from '../businesses/opening';
import { TextLink } from '../shell/links';
import { Text } from '../ui/text';
import { ColumnBody } from './column-body';
import { type Column, loadText, shownHours } from './columns';
import { type Density, pxPerMinute, snapOf } from './density';
import { DragArea } from './drag-area';
import type { Destination } from './move-visit';
import { neighbourOf } from './neighbours';
import type { Span } from './spans';
import type { Catalogue, VisitCard } from './visit-cards';
import { VISIT_STYLES } from './visit-styles';

const AXIS_WIDTH = '56px';

const Scroller = chakra('section', {
  base: {
    position: 'relative',
    overflow: 'auto',
    maxHeight: 'max(26rem, calc(100dvh - 220px))',
    bg: 'bg.card',
    border: '1px solid',
    borderColor: 'line',
    borderRadius: 'card',
    boxShadow: 'card',
    overscrollBehavior: 'contain',
  },
});

const Head = chakra('div', {
  base: {
    position: 'sticky',
    top: '0',
    zIndex: '6',
    minWidth: '0',
    px: '3',
    py: '2.5',
    bg: 'bg.card',
    borderBottom: '1px solid',
    borderInlineStart: '1px solid',
    borderColor: 'line',
  },
});

type GridProps = {
  columns: Column[];
  /** Over each column; leads on where there is somewhere to go. */
  titleOf: (column: Column) => { text: string; to?: string; current?: boolean };
  label: string;
  catalogue: Catalogue;
  zone: string;
  density: Density;
  draggable: boolean;
  onOpen: (appointmentId: string) => void;
  onMove: (card: VisitCard, to: Destination) => void;
  onFree: ((column: Column, minute: number) => void) | undefined;
};

/** Columns side by side on one clock. */
export function DayGrid(props: GridProps) {
  const { columns, titleOf, label, catalogue, zone, density, draggable, onOpen, onMove, onFree } = props;
  const scroller = useRef<HTMLElement>(null);
  const hours = useMemo(() => shownHours(columns), [columns]);
  const scale = { pxPerMinute: pxPerMinute(density), snap: snapOf(density) };
  const firstKey = columns.find(({ cards }) => cards.length > 0)?.cards[0]?.key ?? '';
  const height = (hours.to - hours.from) * scale.pxPerMinute;
  useOneTabStop(scroller, columns);

  const onKeyDown = (event: KeyboardEvent) => {
    // A card that is on its way has the arrows to itself.
    if (event.defaultPrevented || scroller.current?.querySelector('[data-dragged]')) return;
    const key = (event.target as HTMLElement).dataset.card;
    const next = key && neighbourOf(columns, key, event.key);
    if (!next) return;
    event.preventDefault();
    cardElement(scroller.current, next.key)?.focus();
  };

  return (
    <Scroller
      ref={scroller}
      aria-label={label}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={(event) => takeTabStop(scroller.current, event.target as HTMLElement)}
    >
      <DragArea
        columns={columns}
        catalogue={catalogue}
        zone={zone}
        hours={hours}
        scale={scale}
        onMove={onMove}
        scroller={scroller}
      >
        {(ghost) => (
          <Box
            display="grid"
            minWidth="fit-content"
            css={VISIT_STYLES}
            style={{
              gridTemplateColumns: `${AXIS_WIDTH} repeat(${columns.length}, minmax(148px, 1fr))`,
              gridTemplateRows: `auto ${height}px`,
            }}
          >
            <Head left="0" zIndex="8" borderInlineStart="none" />
            {columns.map((column) => (
              <ColumnHead key={column.key} column={column} {...titleOf(column)} />
            ))}
            <Axis hours={hours} pxPerMinute={scale.pxPerMinute} />
            {columns.map((column, index) => (
              <ColumnBody
                key={column.key}
                column={column}
                index={index}
                label={titleOf(column).text}
                hours={hours}
                pxPerMinute={scale.pxPerMinute}
                zone={zone}
                draggable={draggable}
                firstKey={firstKey}
                onOpen={onOpen}
                onFree={onFree}
              />
            ))}
            {ghost}
          </Box>
        )}
      </DragArea>
    </Scroller>
  );
}

type HeadProps = { column: Column; text: string; to?: string; current?: boolean };

function ColumnHead({ column, text, to, current = false }: HeadProps) {
  return (
    <Head>
      <Stack gap="0">
        <Text
          fontWeight="650"
          fontSize="0.9375rem"
          truncate
          title={text}
          color={current ? 'brand.fg' : undefined}
        >
          {to ? (
            <TextLink
              to={to}
              color="inherit"
              fontWeight="650"
              textDecoration="none"
              _hover={{ textDecoration: 'underline' }}
            >
              {text}
            </TextLink>
          ) : (
            text
          )}
        </Text>
        <Text fontSize="0.8125rem" color="fg.muted" truncate>
          {loadText(column)}
        </Text>
      </Stack>
    </Head>
  );
}

function Axis({ hours, pxPerMinute }: { hours: Span; pxPerMinute: number }) {
  const marks = Array.from({ length: (hours.to - hours.from) / 60 }, (_, index) => hours.from + index * 60);
  return (
    <Box
      aria-hidden
      gridRow="2"
      gridColumn="1"
      position="sticky"
      left="0"
      zIndex="5"
      bg="bg.card"
      fontSize="0.75rem"
      color="fg.muted"
      fontVariantNumeric="tabular-nums"
    >
      {marks.map((minute) => (
        <Box
          key={minute}
          position="absolute"
          insetInline="0"
          pe="2"
          pt="0.5"
          textAlign="end"
          borderTop={minute > hours.from ? '1px solid' : undefined}
          borderColor="line"
          style={{ top: (minute - hours.from) * pxPerMinute }}
        >
          {minuteText(minute)}
        </Box>
      ))}
    </Box>
  );
}

const cardElement = (within: HTMLElement | null, key: string) =>
  within?.querySelector<HTMLElement>(`[data-card="${CSS.escape(key)}"]`);

/** Tab comes to one card; arrows go on from there. Two hundred cards would hold everybody up. */
function takeTabStop(within: HTMLElement | null, card: HTMLElement): void {
  if (!card.dataset.card) return;
  for (const other of within?.querySelectorAll<HTMLElement>('[data-card][tabindex="0"]') ?? []) {
    other.tabIndex = -1;
  }
  card.tabIndex = 0;
}

/** Should the card that Tab came to be gone, it comes to the first. */
function useOneTabStop(within: { current: HTMLElement | null }, columns: readonly Column[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns, other cards
  useLayoutEffect(() => {
    const cards = within.current?.querySelectorAll<HTMLElement>('[data-card]') ?? [];
    const [first] = cards;
    if (first && ![...cards].some(({ tabIndex }) => tabIndex === 0)) first.tabIndex = 0;
  }, [within, columns]);
}
