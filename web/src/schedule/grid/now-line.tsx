import { Box } from '@chakra-ui/react';
import type { Span } from '../../day/spans';
import { minuteOn } from '../../time/local-day';
import { dayKey } from '../../time/zoned';
import { useNow } from '../../ui/use-now';

type NowLineProps = {
  day: string;
  zone: string;
  hours: Span;
  pxPerMinute: number;
  /** Where the column itself says something: the line would strike it through. */
  words: readonly Span[];
};

/** Where the present is in a column of today: a line below the cards, which leaves out words, and a mark on the edge. */
export function NowLine({ day, zone, hours, pxPerMinute, words }: NowLineProps) {
  const now = useNow(30_000);
  if (dayKey(now, zone) !== day) return null;
  const minute = minuteOn(now, day, zone);
  if (minute < hours.from || minute > hours.to) return null;
  const top = (minute - hours.from) * pxPerMinute;
  const strikes = words.some(({ from, to }) => from <= minute && minute <= to);
  return (
    <>
      <Box
        aria-hidden
        data-now
        position="absolute"
        insetInline="0"
        visibility={strikes ? 'hidden' : undefined}
        height="2px"
        bg="bad.solid"
        pointerEvents="none"
        style={{ top }}
      />
      <Box
        aria-hidden
        position="absolute"
        insetInlineStart="0"
        width="6px"
        height="6px"
        mt="-2px"
        borderEndRadius="full"
        bg="bad.solid"
        zIndex="2"
        pointerEvents="none"
        style={{ top }}
      />
    </>
  );
}
