import { Flex } from '@chakra-ui/react';
import { isDay } from '../schedule/local-day';
import { Stepper } from '../schedule/stepper';
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
      <Stepper what="week" onStep={onStep} />
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
