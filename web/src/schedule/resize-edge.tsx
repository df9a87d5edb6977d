import { chakra } from '@chakra-ui/react';
import { useRef, useState } from 'react';
import { minuteText } from '../businesses/opening';

/** The contract's step, and the most it lengthens a visit by. */
const STEP_MINUTES = 5;
const MOST_MINUTES = 240;

const Edge = chakra('span', {
  base: {
    position: 'absolute',
    height: '10px',
    zIndex: '3',
    cursor: 'ns-resize',
    touchAction: 'none',
    _after: {
      content: '""',
      position: 'absolute',
      insetInline: 'calc(50% - 12px)',
      bottom: '2px',
      height: '3px',
      borderRadius: 'full',
      bg: 'fg.muted',
      opacity: '0.6',
    },
  },
});

const More = chakra('span', {
  base: {
    position: 'absolute',
    zIndex: '3',
    px: '2',
    overflow: 'hidden',
    pointerEvents: 'none',
    fontSize: '0.8125rem',
    fontWeight: '600',
    lineHeight: '1.35',
    color: 'violet.fg',
    bg: 'violet.subtle',
    border: '2px dashed',
    borderColor: 'violet.fg',
    borderRadius: '6px',
  },
});

type ResizeEdgeProps = {
  /** When the visit ends, and where that is in its column. */
  end: number;
  bottom: number;
  pxPerMinute: number;
  aside: object;
  onExtend: (minutes: number) => void;
};

/** The lower edge of a visit that is under way: drawn down, it ends later. */
export function ResizeEdge({ end, bottom, pxPerMinute, aside, onExtend }: ResizeEdgeProps) {
  const began = useRef<number | undefined>(undefined);
  const [minutes, setMinutes] = useState(0);
  const place = { ...aside, left: 'var(--left)', width: 'var(--width)' };
  const stop = () => {
    began.current = undefined;
    setMinutes(0);
  };
  return (
    <>
      {minutes > 0 && (
        <More aria-hidden style={{ ...place, top: bottom, height: minutes * pxPerMinute }}>
          until {minuteText(end + minutes)}
        </More>
      )}
      <Edge
        aria-hidden
        data-edge
        style={{ ...place, top: bottom + minutes * pxPerMinute - 9 }}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          began.current = event.clientY;
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          if (began.current === undefined) return;
          const steps = Math.round((event.clientY - began.current) / pxPerMinute / STEP_MINUTES);
          setMinutes(Math.min(MOST_MINUTES, Math.max(0, steps * STEP_MINUTES)));
        }}
        onPointerUp={() => {
          if (minutes > 0) onExtend(minutes);
          stop();
        }}
        onPointerCancel={stop}
      />
    </>
  );
}
