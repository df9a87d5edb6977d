import { useRef, useState } from 'react';
import { STEP_MINUTES } from '../../day/move-visit';
import { minuteText } from '../../day/opening';

/** The most that the contract lengthens a visit by that is under way. */
const MOST_MINUTES = 240;

type ResizeEdgeProps = {
  /** When the visit ends, and where that is in its column. */
  end: number;
  bottom: number;
  /** How many minutes it may end earlier. */
  shorter: number;
  pxPerMinute: number;
  aside: object;
  onResize: (minutes: number) => void;
};

/** The lower edge of a visit: drawn down, it ends later; drawn up, where it has not begun, earlier. */
export function ResizeEdge({ end, bottom, shorter, pxPerMinute, aside, onResize }: ResizeEdgeProps) {
  const began = useRef<number | undefined>(undefined);
  const [minutes, setMinutes] = useState(0);
  const stop = () => {
    began.current = undefined;
    setMinutes(0);
  };
  return (
    <>
      {minutes !== 0 && (
        <span
          className="longer"
          aria-hidden
          data-less={minutes < 0 || undefined}
          style={{
            ...aside,
            top: bottom + Math.min(0, minutes) * pxPerMinute,
            height: Math.abs(minutes) * pxPerMinute,
          }}
        >
          until {minuteText(end + minutes)}
        </span>
      )}
      <span
        className="edge"
        aria-hidden
        data-edge
        style={{ ...aside, top: bottom + minutes * pxPerMinute - 9 }}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          began.current = event.clientY;
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          if (began.current === undefined) return;
          const steps = Math.round((event.clientY - began.current) / pxPerMinute / STEP_MINUTES);
          setMinutes(Math.min(MOST_MINUTES, Math.max(-shorter, steps * STEP_MINUTES)));
        }}
        onPointerUp={() => {
          if (minutes !== 0) onResize(minutes);
          stop();
        }}
        onPointerCancel={stop}
      />
    </>
  );
}
