import { Flex } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { isDay } from '../time/local-day';
import { Button } from '../ui/button';
import { TextControl } from '../ui/field';
import { SquareButton } from '../ui/square-button';

type DayNavigationProps = {
  day: string;
  /** What one step is. */
  what: 'day' | 'week';
  onDay: (day: string) => void;
  onStep: (direction: 1 | -1) => void;
  onToday: () => void;
};

/** Today, one back, one on, any day: one row, which a phone fills. */
export function DayNavigation({ day, what, onDay, onStep, onToday }: DayNavigationProps) {
  return (
    <Flex gap={{ base: '1', sm: '2' }} align="center" flex={{ base: '1', sm: 'none' }} minWidth="0">
      <Button px={{ base: '3', sm: '4' }} onClick={onToday} aria-keyshortcuts="t">
        Today
      </Button>
      <Flex>
        <SquareButton label={`Previous ${what}`} aria-keyshortcuts="k" onClick={() => onStep(-1)}>
          <ChevronLeft size={20} aria-hidden />
        </SquareButton>
        <SquareButton label={`Next ${what}`} aria-keyshortcuts="j" onClick={() => onStep(1)}>
          <ChevronRight size={20} aria-hidden />
        </SquareButton>
      </Flex>
      <TextControl
        aria-label="Date"
        type="date"
        width="auto"
        flex={{ base: '1', sm: 'none' }}
        minWidth="0"
        minHeight="11"
        ps="3"
        pe="2"
        borderRadius="button"
        fontVariantNumeric="tabular-nums"
        value={day}
        required
        onChange={({ currentTarget: { value } }) => isDay(value) && onDay(value)}
      />
    </Flex>
  );
}
