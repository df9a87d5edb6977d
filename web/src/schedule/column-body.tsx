import { chakra } from '@chakra-ui/react';
import { type MouseEvent, memo } from 'react';
import { minuteText } from '../businesses/opening';
import type { Column, Shade } from './columns';
import { NowLine } from './now-line';
import type { Span } from './spans';
import { VisitSlot } from './visit-slot';

const Body = chakra('div', {
  base: {
    position: 'relative',
    borderInlineStart: '1px solid',
    borderColor: 'line',
    minWidth: '0',
    bg: 'bg.card',
  },
});

const Hours = chakra('div', {
  base: {
    position: 'absolute',
    inset: '0',
    pointerEvents: 'none',
    backgroundImage:
      'linear-gradient(to bottom, var(--css-line) 1px, transparent 1px), linear-gradient(to bottom, color-mix(in srgb, var(--css-line) 45%, transparent) 1px, transparent 1px)',
    '--css-line': 'colors.line',
  },
});

const Shaded = chakra('div', {
  base: {
    position: 'absolute',
    insetInline: '0',
    px: '2',
    py: '1',
    overflow: 'hidden',
    fontSize: '0.75rem',
    fontWeight: '550',
    lineHeight: '1.35',
    color: 'fg.muted',
    pointerEvents: 'none',
  },
  variants: {
    kind: {
      closed: { bg: 'bg.sunken' },
      away: { bg: 'bg.sunken' },
      off: { bg: 'warn.subtle', color: 'warn.fg' },
      blocked: {
        bg: 'quiet.subtle',
        color: 'quiet.fg',
        borderBlock: '1px solid',
        borderColor: 'line.strong',
        backgroundImage:
          'repeating-linear-gradient(45deg, color-mix(in srgb, currentColor 10%, transparent) 0 1px, transparent 1px 8px)',
      },
    },
  },
});

type BodyProps = {
  column: Column;
  index: number;
  label: string;
  hours: Span;
  pxPerMinute: number;
  zone: string;
  draggable: boolean;
  /** The card that Tab comes to first. */
  firstKey: string;
  onOpen: (appointmentId: string) => void;
  /** A click on time that no card takes. */
  onFree: ((column: Column, minute: number) => void) | undefined;
};

const FREE_STEP = 15;

/** One employee's day: hours, what takes time, visits, the present. */
export const ColumnBody = memo(function ColumnBody({
  column,
  index,
  label,
  hours,
  pxPerMinute,
  zone,
  draggable,
  firstKey,
  onOpen,
  onFree,
}: BodyProps) {
  const clicked = (event: MouseEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget) return;
    const y = event.clientY - event.currentTarget.getBoundingClientRect().top;
    onFree?.(column, hours.from + Math.floor(y / pxPerMinute / FREE_STEP) * FREE_STEP);
  };
  const hour = 60 * pxPerMinute;
  return (
    <Body
      role="group"
      aria-label={label}
      data-column={index}
      gridRow="2"
      style={{ gridColumn: index + 2 }}
      onClick={onFree && clicked}
    >
      {column.shades.map((shade) => (
        <ShadedTime
          key={`${shade.kind}${shade.from}`}
          shade={shade}
          hours={hours}
          pxPerMinute={pxPerMinute}
        />
      ))}
      <Hours style={{ backgroundSize: `100% ${hour}px, 100% ${hour / 2}px` }} aria-hidden />
      <NowLine day={column.day} zone={zone} hours={hours} pxPerMinute={pxPerMinute} />
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
        />
      ))}
    </Body>
  );
});

/** Pixels below which a label is cut off. */
const LABEL_HEIGHT = 22;

function ShadedTime({ shade, hours, pxPerMinute }: { shade: Shade; hours: Span; pxPerMinute: number }) {
  const [from, to] = [Math.max(shade.from, hours.from), Math.min(shade.to, hours.to)];
  if (from >= to) return null;
  const height = (to - from) * pxPerMinute;
  const timed = shade.kind === 'blocked' ? `, ${minuteText(shade.from)} – ${minuteText(shade.to)}` : '';
  return (
    <Shaded kind={shade.kind} style={{ top: (from - hours.from) * pxPerMinute, height }}>
      {height >= LABEL_HEIGHT && `${shade.label}${timed}`}
    </Shaded>
  );
}
