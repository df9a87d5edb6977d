import { type CSSProperties, memo, useState } from 'react';
import type { PlacedCard } from '../../day/columns';
import { isMovable, STEP_MINUTES } from '../../day/move-visit';
import type { Span } from '../../day/spans';
import { type Appointment, AppointmentState } from '../../gen/frontdesk/scheduling/v1/appointment_pb';
import { isLowCard, spokenCard, toneOf, VisitFace } from '../cards/visit-face';
import { MOVING_HELP } from '../drag/drag-area';
import { useDragSource } from '../drag/drag-source';
import { ResizeEdge } from '../drag/resize-edge';

/** A breath between cards side by side, in pixels. */
const GAP = 2;
/** Where the shortest visit can still be hit. */
const LEAST_HEIGHT = 18;
/** So many side by side leave no room for names. */
const CROWD = 3;

type SlotProps = {
  card: PlacedCard;
  column: number;
  from: number;
  pxPerMinute: number;
  draggable: boolean;
  first: boolean;
  onOpen: (appointmentId: string) => void;
  /** Has a visit end so many minutes later, or earlier. */
  onResize: (appointment: Appointment, minutes: number) => void;
};

/** A card at its time: a click or Enter opens it, a drag or Space moves it. */
export const VisitSlot = memo(function VisitSlot({
  card,
  column,
  from,
  pxPerMinute,
  first,
  draggable,
  onOpen,
  onResize,
}: SlotProps) {
  const movable = draggable && isMovable(card.appointment);
  const { ref, attributes, source } = useDragSource(card, column, movable);
  // A card draws its edge once the pointer is on it: a day has hundreds.
  const [near, setNear] = useState(false);
  const shorter = shorterBy(card, draggable);
  const place = (span: Span, least = 0) => ({
    top: (span.from - from) * pxPerMinute,
    height: Math.max(least, (span.to - span.from) * pxPerMinute - 1),
  });
  const aside = {
    '--left': `calc(${(100 * card.lane) / card.lanes}% + ${GAP}px)`,
    '--width': `calc(${100 / card.lanes}% - ${2 * GAP}px)`,
  } as CSSProperties;
  const crowded = card.lanes >= CROWD;
  const placed = place(card, LEAST_HEIGHT);
  return (
    <>
      {card.buffers.map((buffer) => (
        <span key={buffer.from} className="buffer" aria-hidden style={{ ...place(buffer), ...aside }} />
      ))}
      <button
        ref={ref}
        type="button"
        className="visit"
        data-tone={toneOf(card.appointment.state)}
        data-card={card.key}
        data-crowded={crowded || undefined}
        data-beside={(card.lanes > 1 && !crowded) || undefined}
        data-stranded={card.stranded || undefined}
        tabIndex={first ? 0 : -1}
        title={isLowCard(placed.height) ? spokenCard(card) : undefined}
        aria-describedby={movable ? MOVING_HELP : undefined}
        style={{ ...placed, ...aside }}
        onClick={() => onOpen(card.appointment.id)}
        // `pointerenter` also fires for cards that scroll under a resting pointer.
        onPointerMove={() => setNear(true)}
        {...attributes}
      >
        <Content card={card} pxPerMinute={pxPerMinute} height={placed.height} crowded={crowded} />
      </button>
      {source}
      {near && shorter !== undefined && (
        <ResizeEdge
          end={card.to}
          shorter={shorter}
          bottom={placed.top + placed.height}
          pxPerMinute={pxPerMinute}
          aside={aside}
          onResize={(minutes) => onResize(card.appointment, minutes)}
        />
      )}
    </>
  );
}, looksSame);

type ContentProps = { card: PlacedCard; pxPerMinute: number; height: number; crowded: boolean };

/** A card’s content, memoised: a card that is dragged does not draw its content again. */
const Content = memo(function Content({ card, pxPerMinute, height, crowded }: ContentProps) {
  return (
    <>
      <span className="spoken">{spokenCard(card)}</span>
      {card.processing.map((span) => (
        <span
          key={span.from}
          className="processing"
          style={{
            top: (span.from - card.from) * pxPerMinute,
            height: (span.to - span.from) * pxPerMinute,
          }}
        />
      ))}
      <VisitFace card={card} height={height} crowded={crowded} />
    </>
  );
});

/**
 * By how many minutes a visit may end earlier by this card's lower edge: what is under way ends later alone.
 * Nothing, where it is not what is done last, or the visit is over.
 */
function shorterBy({ appointment, part, from, to }: PlacedCard, movable: boolean): number | undefined {
  if (part && part.number !== part.of) return undefined;
  if (appointment.state === AppointmentState.IN_SERVICE) return 0;
  return movable && isMovable(appointment) ? to - from - STEP_MINUTES : undefined;
}

/** A card that was read again is another object of the same look. */
function looksSame(before: SlotProps, after: SlotProps): boolean {
  return (
    before.card.look === after.card.look &&
    before.card.lane === after.card.lane &&
    before.card.lanes === after.card.lanes &&
    before.column === after.column &&
    before.from === after.from &&
    before.pxPerMinute === after.pxPerMinute &&
    before.draggable === after.draggable &&
    before.first === after.first &&
    before.onOpen === after.onOpen &&
    before.onResize === after.onResize
  );
}
