import {
  DndContext,
  type DragEndEvent,
  type DragMoveEvent,
  type DragStartEvent,
  type KeyboardCoordinateGetter,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useDndMonitor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { TriangleAlert } from 'lucide-react';
import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type Column, type PlacedCard, takesTime } from '../../day/columns';
import { type Destination, obstacleAt, placeOf, samePlace, withCardAt } from '../../day/move-visit';
import { minuteText } from '../../day/opening';
import type { Span } from '../../day/spans';
import type { Catalogue, VisitCard } from '../../day/visit-cards';
import { instantOf } from '../../time/local';
import { ScreenReaderOnly } from '../../ui/text';
import { landing, type Scale } from './drag-landing';
import type { Dragged } from './drag-source';

type DragAreaProps = {
  columns: Column[];
  catalogue: Catalogue;
  zone: string;
  hours: Span;
  scale: Scale;
  scroller: RefObject<HTMLElement | null>;
  onMove: (card: VisitCard, to: Destination) => void;
  children: ReactNode;
};

/** The column that a card would land in, counted from the left, and the minute. */
type Landing = { card: PlacedCard; index: number; from: number };

/** Keeps clicks and scrolling from beginning a drag. */
const MOUSE = { activationConstraint: { distance: 5 } };
const TOUCH = { activationConstraint: { delay: 300, tolerance: 8 } };
const AUTO_SCROLL = { threshold: { x: 0.1, y: 0.12 } };

/** Columns aside and steps later. */
const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

const INSTRUCTIONS =
  'Enter opens the visit. Space picks it up: then arrows move it in time and between columns, Space puts it down, Escape leaves it where it was.';

/** The id of what tells how a card is moved without a mouse. */
export const MOVING_HELP = 'moving-help';

/** Lets the cards in it be dragged with a mouse, a long press, or the keyboard. */
export function DragArea(props: DragAreaProps) {
  const { columns, zone, scale, scroller, onMove, children } = props;
  const width = useRef(0);
  const stepPx = useRef(0);
  // Counts arrow keys: scrolling meanwhile must not move the card.
  const steps = useRef<{ x: number; y: number } | undefined>(undefined);
  const onStep = useRef<(() => void) | undefined>(undefined);
  const begin = ({ activatorEvent }: DragStartEvent) => {
    steps.current = activatorEvent instanceof KeyboardEvent ? { x: 0, y: 0 } : undefined;
    stepPx.current = scale.snap * scale.pxPerMinute;
    width.current = scroller.current?.querySelector('[data-column]')?.getBoundingClientRect().width ?? 0;
  };
  // New options would mean new sensors, and render every card again.
  const keyboard = useMemo(
    () => ({
      coordinateGetter: ((event) => {
        const [x, y] = ARROWS[event.code] ?? [0, 0];
        if (!steps.current || (x === 0 && y === 0)) return undefined;
        event.preventDefault();
        steps.current = { x: steps.current.x + x, y: steps.current.y + y };
        onStep.current?.();
        return undefined;
      }) as KeyboardCoordinateGetter,
      // Enter opens.
      keyboardCodes: { start: ['Space'], end: ['Space', 'Enter'], cancel: ['Escape'] },
    }),
    [],
  );
  const sensors = useSensors(
    useSensor(MouseSensor, MOUSE),
    useSensor(TouchSensor, TOUCH),
    useSensor(KeyboardSensor, keyboard),
  );

  const landingOf = ({ active, delta }: Pick<DragMoveEvent, 'active' | 'delta'>): Landing | undefined => {
    const dragged = sourceOf(active);
    if (!dragged) return undefined;
    const area = { width: width.current, count: columns.length };
    const counted = steps.current;
    const by = counted ? { x: counted.x * width.current, y: counted.y * stepPx.current } : delta;
    const { column: index, from } = landing(dragged.card, dragged.column, by, scale, area);
    return { card: dragged.card, index, from };
  };

  const drop = (event: DragEndEvent) => {
    const { card, index, from } = landingOf(event) ?? {};
    const column = index === undefined ? undefined : columns[index];
    if (!card || !column || from === undefined) return;
    const shift =
      instantOf(column.day, from, zone).getTime() - instantOf(card.day, card.from, zone).getTime();
    const to = withCardAt(card, shift, column.employeeId);
    if (!samePlace(to, placeOf(card.appointment))) onMove(card, to);
  };

  return (
    <DndContext
      id={MOVING_HELP}
      sensors={sensors}
      autoScroll={AUTO_SCROLL}
      onDragStart={begin}
      onDragEnd={drop}
      accessibility={{
        screenReaderInstructions: { draggable: INSTRUCTIONS },
        announcements: {
          onDragStart: ({ active }) => `Picked up ${nameOf(active)}.`,
          onDragOver: () => undefined,
          onDragEnd: ({ active }) => `Put down ${nameOf(active)}.`,
          onDragCancel: ({ active }) => `${nameOf(active)} stays where it was.`,
        },
      }}
    >
      {children}
      <Ghost {...props} landingOf={landingOf} onStep={onStep} />
    </DndContext>
  );
}

const sourceOf = ({ data }: DragMoveEvent['active']) =>
  (data.current as Partial<Dragged> | undefined)?.source?.current;

const nameOf = (active: DragMoveEvent['active']) => sourceOf(active)?.card.customer ?? 'the visit';

type GhostProps = Pick<DragAreaProps, 'columns' | 'catalogue' | 'hours' | 'scale'> & {
  landingOf: (event: Pick<DragMoveEvent, 'active' | 'delta'>) => Landing | undefined;
  /** Called when an arrow key was counted. */
  onStep: RefObject<(() => void) | undefined>;
};

/** Where the card would land, and the obstacle there. Nothing else is rendered while dragging. */
function Ghost({ columns, catalogue, hours, scale, landingOf, onStep }: GhostProps) {
  const [landed, setLanded] = useState<Landing>();
  const shape = useRef<HTMLDivElement>(null);
  const follow = (event: Pick<DragMoveEvent, 'active' | 'delta'>) => {
    const place = landingOf(event);
    setLanded((before) =>
      before && place && before.index === place.index && before.from === place.from ? before : place,
    );
  };
  // The columns may have changed by the next arrow key.
  const latest = useRef(follow);
  useLayoutEffect(() => {
    latest.current = follow;
  });
  const gone = () => {
    onStep.current = undefined;
    setLanded(undefined);
  };
  useDndMonitor({
    onDragStart: ({ active }) => {
      onStep.current = () => {
        latest.current({ active, delta: { x: 0, y: 0 } });
        requestAnimationFrame(() => shape.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
      };
    },
    onDragMove: follow,
    onDragEnd: gone,
    onDragCancel: gone,
  });
  const column = landed && columns[landed.index];
  // Told anew at each render: services and columns may come while the card is carried.
  const obstacle = landed && column && obstacleIn(column, landed, catalogue);
  return (
    <>
      <ScreenReaderOnly role="status" aria-live="assertive">
        {landed &&
          column &&
          `${minuteText(landed.from)}, ${column.employeeName}${obstacle ? `. ${obstacle}.` : ''}`}
      </ScreenReaderOnly>
      {landed && (
        <div
          className="ghost"
          ref={shape}
          aria-hidden
          data-ghost
          data-obstacle={obstacle}
          style={{
            gridColumn: landed.index + 2,
            top: (landed.from - hours.from) * scale.pxPerMinute,
            height: (landed.card.to - landed.card.from) * scale.pxPerMinute,
          }}
        >
          <span className="when">
            {minuteText(landed.from)} {landed.card.customer}
          </span>
          {obstacle && (
            <span className="obstacle">
              <TriangleAlert size={14} />
              {obstacle}
            </span>
          )}
        </div>
      )}
    </>
  );
}

function obstacleIn(column: Column, { card, from }: Landing, catalogue: Catalogue): string | undefined {
  const taken = column.shades.filter((shade) => shade.kind === 'off' || takesTime(shade));
  return obstacleAt(card, from, { ...column, taken }, catalogue);
}
