import { type PointerEvent, useRef, useState } from 'react';
import { pointedMinute, selectedSpan } from '../../day/free-span';
import { minuteText } from '../../day/opening';
import type { Span } from '../../day/spans';

/** A press is no drag. */
const DRAG_PX = 5;

type FreeTimeProps = {
  hours: Span;
  pxPerMinute: number;
  snap: number;
  onPoint: (minute: number) => void;
  onPress: ((minute: number) => void) | undefined;
  /** A stretch that was drawn with the mouse. */
  onSpan: ((span: Span) => void) | undefined;
};

/** What no card takes of a column: a press points at a time, drawing with the mouse at a stretch of it. */
export function FreeTime({ hours, pxPerMinute, snap, onPoint, onPress, onSpan }: FreeTimeProps) {
  const from = useRef<number | undefined>(undefined);
  const [span, setSpan] = useState<Span>();
  const yOf = (event: PointerEvent) => event.clientY - event.currentTarget.getBoundingClientRect().top;
  const scale = { from: hours.from, pxPerMinute, snap };
  const stop = () => {
    from.current = undefined;
    setSpan(undefined);
  };

  return (
    <>
      <div
        className="free-time"
        data-free
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          from.current = yOf(event);
        }}
        onPointerMove={(event) => {
          const y = yOf(event);
          onPoint(pointedMinute(y, scale));
          const began = from.current;
          if (began === undefined || !onSpan || event.pointerType !== 'mouse') return;
          if (!span && Math.abs(y - began) < DRAG_PX) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const next = selectedSpan(began, y, scale, hours);
          if (!span || span.from !== next.from || span.to !== next.to) setSpan(next);
        }}
        onPointerUp={(event) => {
          const began = from.current;
          const drawn = span;
          stop();
          if (began === undefined) return;
          if (drawn) onSpan?.(drawn);
          else onPress?.(pointedMinute(yOf(event), scale));
        }}
        onPointerCancel={stop}
      />
      {span && (
        <div
          className="chosen"
          aria-hidden
          style={{ top: (span.from - hours.from) * pxPerMinute, height: (span.to - span.from) * pxPerMinute }}
        >
          {minuteText(span.from)} – {minuteText(span.to)}
        </div>
      )}
    </>
  );
}
