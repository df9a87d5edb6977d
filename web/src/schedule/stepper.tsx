import { Flex } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '../ui/button';

type StepperProps = { what: 'day' | 'week'; onStep: (direction: 1 | -1) => void };

/** One back, one on. */
export function Stepper({ what, onStep }: StepperProps) {
  return (
    <Flex>
      <Button
        variant="quiet"
        minHeight="11"
        minWidth="11"
        px="2"
        aria-label={`Previous ${what}`}
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
        aria-label={`Next ${what}`}
        aria-keyshortcuts="j"
        onClick={() => onStep(1)}
      >
        <ChevronRight size={20} aria-hidden />
      </Button>
    </Flex>
  );
}
