import { chakra } from '@chakra-ui/react';
import { useDraggable } from '@dnd-kit/core';
import { memo } from 'react';
import type { PlacedCard } from './columns';
import { isMovable } from './move-visit';
import type { Span } from './spans';
import { spokenCard, toneOf, VisitFace } from './visit-face';

const HATCH =
  'repeating-linear-gradient(135deg, color-mix(in srgb, currentColor 20%, transparent) 0 2px, transparent 2px 7px)';

const Slot = chakra('button', {
  base: {
    position: 'absolute',
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'stretch',
    justifyContent: 'flex-start',
    overflow: 'hidden',
    textAlign: 'start',
    fontSize: '0.8125rem',
    lineHeight: '1.35',
    color: 'fg',
    bg: 'bg.card',
    border: '1px solid',
    borderColor: 'line.strong',
    borderRadius: '6px',
    ps: '2.5',
    pe: '2',
    cursor: 'pointer',
    touchAction: 'manipulation',
    _hover: { boxShadow: 'float', zIndex: '3' },
    _focusVisible: { outlineOffset: '1px', zIndex: '4' },
    '&[data-dragged]': { opacity: '0.4' },
  },
  variants: {
    tone: {
      brand: { bg: 'brand.subtle', borderColor: 'brand.solid' },
      good: { bg: 'good.subtle', borderColor: 'good.fg' },
      info: { bg: 'info.subtle', borderColor: 'info.fg' },
      violet: { bg: 'violet.subtle', borderColor: 'violet.fg' },
      quiet: { bg: 'quiet.subtle', borderColor: 'line.strong' },
      warn: { bg: 'warn.subtle', borderColor: 'warn.fg', borderStyle: 'dashed' },
      bad: { bg: 'bad.subtle', borderColor: 'bad.fg' },
    },
  },
});

const Processing = chakra('span', {
  base: {
    position: 'absolute',
    insetInline: '0',
    pointerEvents: 'none',
    color: 'fg',
    backgroundImage: HATCH,
  },
});

const Buffer = chakra('span', {
  base: {
    position: 'absolute',
    pointerEvents: 'none',
    border: '1px dashed',
    borderColor: 'line.strong',
    borderRadius: '4px',
    bg: 'quiet.subtle',
    opacity: '0.7',
  },
});

/** A breath between cards side by side, in pixels. */
const GAP = 2;

type SlotProps = {
  card: PlacedCard;
  column: number;
  from: number;
  pxPerMinute: number;
  draggable: boolean;
  first: boolean;
  onOpen: (appointmentId: string) => void;
};

/** A card at its time: a click or Enter opens it, a drag or Space moves it. */
export const VisitSlot = memo(
  function VisitSlot({ card, column, from, pxPerMinute, draggable, first, onOpen }: SlotProps) {
    const { setNodeRef, listeners, attributes, isDragging } = useDraggable({
      id: card.key,
      data: { card, column },
      disabled: !draggable || !isMovable(card.appointment),
    });
    const place = (span: Span) => ({
      top: (span.from - from) * pxPerMinute,
      height: Math.max(18, (span.to - span.from) * pxPerMinute - 1),
    });
    const aside = {
      left: `calc(${(100 * card.lane) / card.lanes}% + ${GAP}px)`,
      width: `calc(${100 / card.lanes}% - ${2 * GAP}px)`,
    };
    const { height } = place(card);
    return (
      <>
        {card.buffers.map((buffer) => (
          <Buffer key={buffer.from} aria-hidden style={{ ...place(buffer), ...aside }} />
        ))}
        <Slot
          ref={setNodeRef}
          type="button"
          tone={toneOf(card.appointment.state)}
          data-card={card.key}
          data-dragged={isDragging || undefined}
          tabIndex={first ? 0 : -1}
          aria-label={spokenCard(card)}
          aria-describedby={
            draggable && isMovable(card.appointment) ? attributes['aria-describedby'] : undefined
          }
          style={{ ...place(card), ...aside, borderInlineStartWidth: 4 }}
          onClick={() => onOpen(card.appointment.id)}
          {...listeners}
        >
          {card.processing.map((span) => (
            <Processing
              key={span.from}
              style={{
                top: (span.from - card.from) * pxPerMinute,
                height: (span.to - span.from) * pxPerMinute,
              }}
            />
          ))}
          <VisitFace card={card} height={height} />
        </Slot>
      </>
    );
  },
  (before, after) =>
    before.card.look === after.card.look &&
    before.card.lane === after.card.lane &&
    before.card.lanes === after.card.lanes &&
    before.column === after.column &&
    before.from === after.from &&
    before.pxPerMinute === after.pxPerMinute &&
    before.draggable === after.draggable &&
    before.first === after.first &&
    before.onOpen === after.onOpen,
);
