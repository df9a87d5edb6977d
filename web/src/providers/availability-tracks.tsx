import { Box, Flex, type SystemStyleObject } from '@chakra-ui/react';
import type { Span } from '../day/spans';
import type { EmployeeAvailability } from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { type Block, blocksOf, markedHours, spanText } from './availability';
import { minuteText } from './wording';

/** Where a block's times have no room. */
const CRAMPED = '@container (max-width: 5.5rem)';
/** Where names stand above their tracks. */
const NARROW = '@media (max-width: 599px)';
const HATCH =
  'repeating-linear-gradient(135deg, color-mix(in srgb, currentColor 35%, transparent) 0 1.5px, transparent 1.5px 6px)';

const LOOKS = {
  free: { bg: 'brand.subtle', color: 'brand.fg', borderColor: 'brand.solid' },
  only: { bg: 'warn.subtle', color: 'warn.fg', borderColor: 'warn.fg' },
  lacking: { borderStyle: 'dashed', color: 'warn.fg', borderColor: 'warn.fg' },
  unknown: { color: 'bad.fg', borderColor: 'bad.line', backgroundImage: HATCH },
} satisfies Record<Block['kind'], SystemStyleObject>;

/** How tracks look, said once for a whole day. */
export const TRACK_STYLES: SystemStyleObject = {
  '& .tracks': {
    display: 'grid',
    gridTemplateColumns: 'minmax(5rem, max-content) minmax(0, 1fr)',
    columnGap: '3',
    rowGap: '1',
    alignItems: 'center',
    [NARROW]: { gridTemplateColumns: 'minmax(0, 1fr)', rowGap: '0.5' },
  },
  '& .name': { color: 'fg.muted', fontSize: '0.8125rem', maxWidth: '10rem', overflowWrap: 'anywhere' },
  '& .track': { position: 'relative', height: '28px', borderRadius: 'field', bg: 'bg.sunken' },
  '& .mark': {
    position: 'absolute',
    insetBlock: '0',
    width: '1px',
    bg: 'line',
  },
  '& .block': {
    position: 'absolute',
    insetBlock: '2px',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    overflow: 'hidden',
    containerType: 'inline-size',
    border: '1px solid',
    borderRadius: 'l1',
    fontSize: '0.75rem',
    fontWeight: '600',
    fontVariantNumeric: 'tabular-nums',
    whiteSpace: 'nowrap',
  },
  '& .times': { [CRAMPED]: { display: 'none' } },
  ...Object.fromEntries(Object.entries(LOOKS).map(([kind, look]) => [`& .block[data-kind=${kind}]`, look])),
  '& .hours': {
    position: 'relative',
    gridColumn: '-2',
    height: '1.25rem',
    color: 'fg.muted',
    fontSize: '0.75rem',
    fontVariantNumeric: 'tabular-nums',
  },
  '& .hours > span': { position: 'absolute', transform: 'translateX(-50%)' },
  '& .hours > span:first-of-type': { transform: 'none' },
  '& .hours > span[data-last]': { transform: 'translateX(-100%)' },
};

type TrackProps = {
  name: string;
  side: 'book' | 'system';
  employee: Pick<EmployeeAvailability, 'spans' | 'fault'>;
  shown: Span;
};

/** One side's day as a line of what is free, with its name before it. */
export function Track({ name, side, employee, shown }: TrackProps) {
  return (
    <>
      <span className="name">{name}</span>
      <span className="track">
        {markedHours(shown).map((minute) => (
          <span key={minute} className="mark" style={{ left: percent(minute - shown.from, shown) }} />
        ))}
        {blocksOf(employee, side, shown).map((block) => (
          <span
            key={block.from}
            className="block"
            data-kind={block.kind}
            title={`${titleOf(block)}, ${spanText(block)}`}
            style={{
              left: percent(block.from - shown.from, shown),
              width: percent(block.to - block.from, shown),
            }}
          >
            {block.kind !== 'lacking' && (
              <span className="times">{block.kind === 'unknown' ? 'Unknown' : spanText(block)}</span>
            )}
          </span>
        ))}
      </span>
    </>
  );
}

/** The hours below both tracks. */
export function HourMarks({ shown }: { shown: Span }) {
  return (
    <span className="hours">
      {markedHours(shown).map((minute) => (
        <span
          key={minute}
          data-last={minute === shown.to || undefined}
          style={{ left: percent(minute - shown.from, shown) }}
        >
          {minuteText(minute)}
        </span>
      ))}
    </span>
  );
}

const percent = (minutes: number, { from, to }: Span): string => `${(100 * minutes) / (to - from)}%`;

function titleOf({ kind }: Block): string {
  switch (kind) {
    case 'free':
      return 'Free';
    case 'only':
      return 'Free here only';
    case 'lacking':
      return 'Not free here, but on the other side';
    case 'unknown':
      return 'Unknown';
  }
}

/** What the looks of blocks mean, for those who see them. */
export function Legend() {
  return (
    <Flex aria-hidden gap="1.5" columnGap="5" wrap="wrap" color="fg.muted" fontSize="0.8125rem">
      <Key kind="free">Free</Key>
      <Key kind="only">Free on this side only</Key>
      <Key kind="lacking">Free on the other side only</Key>
    </Flex>
  );
}

function Key({ kind, children }: { kind: Block['kind']; children: string }) {
  return (
    <Flex as="span" align="center" gap="2" whiteSpace="nowrap">
      <Box as="span" width="18px" height="12px" borderRadius="2px" border="1px solid" css={LOOKS[kind]} />
      {children}
    </Flex>
  );
}
