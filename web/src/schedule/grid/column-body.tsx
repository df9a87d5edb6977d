import { memo, useMemo } from 'react';
import type { Column, Shade } from '../../day/columns';
import type { Ghost } from '../../day/day-picture';
import { startSpans } from '../../day/free-starts';
import { minuteText } from '../../day/opening';
import type { Span } from '../../day/spans';
import type { Appointment } from '../../gen/frontdesk/scheduling/v1/appointment_pb';
import { FreeTime } from './free-time';
import { labelSpan } from './label-span';
import { NowLine } from './now-line';
import { VisitSlot } from './visit-slot';

type BodyProps = {
  column: Column;
  index: number;
  label: string;
  hours: Span;
  pxPerMinute: number;
  snap: number;
  zone: string;
  draggable: boolean;
  /** The card that Tab comes to first. */
  firstKey: string;
  /** When a chosen service could start here. */
  starts: readonly number[] | undefined;
  /** What a proposal would change here. */
  ghosts: readonly Ghost[] | undefined;
  actions: FreeActions;
  onOpen: (appointmentId: string) => void;
  onResize: (appointment: Appointment, minutes: number) => void;
};

/** The actions on free time. */
export type FreeActions = {
  onPoint: (column: Column, minute: number) => void;
  onPress: ((column: Column, minute: number) => void) | undefined;
  onSpan: ((column: Column, span: Span) => void) | undefined;
  onBlock: (blockId: string) => void;
};

/** One employee's day: hours, what takes time, visits, the present. */
export const ColumnBody = memo(function ColumnBody({
  column,
  index,
  label,
  hours,
  pxPerMinute,
  snap,
  zone,
  draggable,
  firstKey,
  starts,
  ghosts,
  actions,
  onOpen,
  onResize,
}: BodyProps) {
  const hour = 60 * pxPerMinute;
  const { onPoint, onPress, onSpan, onBlock } = actions;
  const free = useMemo(() => startSpans(starts ?? []), [starts]);
  const labels = useMemo(
    () => column.shades.map((shade) => labelSpan(shade, column.cards, hours, pxPerMinute)),
    [column.shades, column.cards, hours, pxPerMinute],
  );
  const words = useMemo(() => labels.filter((span) => span !== undefined), [labels]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      className="column"
      role="group"
      aria-label={label}
      data-column={index}
      style={{ gridColumn: index + 2 }}
    >
      <FreeTime
        hours={hours}
        pxPerMinute={pxPerMinute}
        snap={snap}
        onPoint={(minute) => onPoint(column, minute)}
        onPress={onPress && ((minute) => onPress(column, minute))}
        onSpan={onSpan && ((span) => onSpan(column, span))}
      />
      {column.shades.map((shade, index) => (
        <ShadedTime
          key={`${shade.kind}${shade.from}${shade.label}`}
          shade={shade}
          label={labels[index]}
          hours={hours}
          pxPerMinute={pxPerMinute}
          onBlock={onBlock}
        />
      ))}
      {free.map((span) => (
        <span
          key={span.from}
          className="free"
          aria-hidden
          style={{
            top: (span.from - hours.from) * pxPerMinute,
            height: (span.to - span.from) * pxPerMinute,
          }}
        />
      ))}
      <div className="clock" style={{ backgroundSize: `100% ${hour}px, 100% ${hour / 2}px` }} aria-hidden />
      <NowLine day={column.day} zone={zone} hours={hours} pxPerMinute={pxPerMinute} words={words} />
      {column.cards.map((card) => (
        <VisitSlot
          key={card.key}
          card={card}
          column={index}
          from={hours.from}
          pxPerMinute={pxPerMinute}
          draggable={draggable}
          first={card.key === firstKey}
          onOpen={onOpen}
          onResize={onResize}
        />
      ))}
      {ghosts?.map((ghost) => (
        <GhostCard key={ghost.key} ghost={ghost} from={hours.from} pxPerMinute={pxPerMinute} />
      ))}
    </div>
  );
});

/** Pixels below which a ghost has no room for its label. */
const LABEL_HEIGHT = 22;

/** A visit where it is or would be; the panel beside the day says the same in words. */
function GhostCard({ ghost, from, pxPerMinute }: { ghost: Ghost; from: number; pxPerMinute: number }) {
  const height = (ghost.to - ghost.from) * pxPerMinute;
  return (
    <span
      className={ghost.then ? 'proposed then' : 'proposed now'}
      aria-hidden
      style={{
        top: (ghost.from - from) * pxPerMinute,
        height,
        left: `${(100 * ghost.lane) / ghost.lanes}%`,
        width: `${100 / ghost.lanes}%`,
      }}
    >
      {ghost.then && height >= LABEL_HEIGHT && `${minuteText(ghost.from)} ${ghost.name}`}
    </span>
  );
}

type ShadedTimeProps = {
  shade: Shade;
  /** Where its label has room; it has none without. */
  label: Span | undefined;
  hours: Span;
  pxPerMinute: number;
  onBlock: (blockId: string) => void;
};

function ShadedTime({ shade, label, hours, pxPerMinute, onBlock }: ShadedTimeProps) {
  const [from, to] = [Math.max(shade.from, hours.from), Math.min(shade.to, hours.to)];
  if (from >= to) return null;
  const height = (to - from) * pxPerMinute;
  const place = { top: (from - hours.from) * pxPerMinute, height };
  const words = label && {
    display: 'block',
    marginTop: (label.from - from) * pxPerMinute,
    maxHeight: (label.to - label.from) * pxPerMinute,
  };
  if (shade.kind !== 'blocked') {
    return (
      <div className={`shade ${shade.kind}`} style={place}>
        {label && (
          <span className="words" style={words}>
            {shade.label}
          </span>
        )}
      </div>
    );
  }
  const { blockId } = shade;
  const timed = `${shade.label}, ${minuteText(shade.from)} – ${minuteText(shade.to)}`;
  return (
    <button
      type="button"
      className="block"
      aria-label={`${timed}, blocked`}
      style={place}
      onClick={() => onBlock(blockId)}
    >
      {label && (
        <span className="words" style={words}>
          {timed}
        </span>
      )}
    </button>
  );
}
