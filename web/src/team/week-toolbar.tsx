import { Flex } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { isDay } from '../schedule/local-day';
import { Button } from '../ui/button';
import { TextControl } from '../ui/field';

type WeekToolbarProps = {
  day: string;
  onDay: (day: string) => void;
  onStep: (direction: 1 | -1) => void;
  onToday: () => void;
};

/** Which week. */
export function WeekToolbar({ day, onDay, onStep, onToday }: WeekToolbarProps) {
  return (
    <Flex gap={{ base: '1', sm: '2' }} align="center" width={{ base: '100%', sm: 'auto' }}>
      <Button minHeight="11" onClick={onToday} aria-keyshortcuts="t">
        Today
      </Button>
      <Flex>
        <Button
          variant="quiet"
          minHeight="11"
          minWidth="11"
          px="2"
          aria-label="Previous week"
          aria-keyshortcuts="k"
          onClick={() => onStep(-1)}
        >
          <ChevronLeft size={20} aria-hidden />
        </Button>
        <Button
          variant="quiet"
          minHeight="11"
          minWidth="11"
          px="2"
          aria-label="Next week"
          aria-keyshortcuts="j"
          onClick={() => onStep(1)}
        >
          <ChevronRight size={20} aria-hidden />
        </Button>
      </Flex>
      <TextControl
        aria-label="Date"
        type="date"
        width="auto"
        flex={{ base: '1', sm: 'none' }}
        minWidth="0"
        minHeight="11"
        borderRadius="button"
        value={day}
        required
        onChange={({ currentTarget: { value } }) => isDay(value) && onDay(value)}
      />
    </Flex>
  );
}
