import { chakra, Flex } from '@chakra-ui/react';
import { type Stretch, stretchesText } from '../day/segments';

/** Stripes for time in which the employee is free and the chair is not. */
const HATCHED =
  'repeating-linear-gradient(135deg, color-mix(in srgb, #148c84 55%, transparent) 0 3px, transparent 3px 7px)';

type SegmentBarProps = {
  stretches: Stretch[];
  scaleMinutes: number;
  /** High enough to carry each stretch's minutes. */
  figures?: boolean;
};

/** The course of a service, to scale. */
export function SegmentBar({ stretches, scaleMinutes, figures = false }: SegmentBarProps) {
  const total = stretches.reduce((sum, { minutes }) => sum + minutes, 0);
  return (
    <Flex
      role="img"
      aria-label={stretchesText(stretches)}
      gap="2px"
      height={figures ? '36px' : '14px'}
      width="100%"
      maxWidth={`${Math.max(12, (100 * total) / scaleMinutes)}%`}
    >
      {stretches.map(({ kind, minutes }, index) => (
        <chakra.span
          key={index}
          flex={`${minutes} 1 0`}
          minWidth="3px"
          borderRadius="4px"
          bg={kind === 'active' ? 'brand.solid' : kind === 'buffer' ? 'quiet.subtle' : 'brand.subtle'}
          backgroundImage={kind === 'processing' ? HATCHED : undefined}
          border={kind === 'buffer' ? '1px dashed' : undefined}
          borderColor="line.strong"
          display="grid"
          placeItems="center"
          overflow="hidden"
        >
          {figures && <Minutes of={kind}>{minutes}</Minutes>}
        </chakra.span>
      ))}
    </Flex>
  );
}

/** Figures on stripes need a ground of their own; white on primary only where it is large and bold. */
function Minutes({ of, children }: { of: Stretch['kind']; children: number }) {
  const solid = of === 'active';
  return (
    <chakra.span
      px="1"
      borderRadius="4px"
      fontSize={solid ? '1.1875rem' : '0.875rem'}
      fontWeight="700"
      lineHeight="1.3"
      fontVariantNumeric="tabular-nums"
      color={solid ? 'white' : 'fg'}
      bg={of === 'processing' ? 'bg.card' : undefined}
    >
      {children}
    </chakra.span>
  );
}

/** What the looks of the bar mean. */
export function SegmentLegend() {
  return (
    <Flex gap="5" wrap="wrap" fontSize="0.875rem" color="fg.muted" aria-hidden>
      <Entry label="With staff" bg="brand.solid" />
      <Entry label="Processing, staff free" bg="brand.subtle" image={HATCHED} />
      <Entry label="Kept free" bg="quiet.subtle" border="1px dashed" />
    </Flex>
  );
}

type EntryProps = { label: string; bg: string; image?: string; border?: string };

function Entry({ label, bg, image, border }: EntryProps) {
  return (
    <Flex align="center" gap="2">
      <chakra.span
        width="22px"
        height="12px"
        borderRadius="4px"
        bg={bg}
        backgroundImage={image}
        border={border}
        borderColor="line.strong"
      />
      {label}
    </Flex>
  );
}
