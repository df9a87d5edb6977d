import { Flex } from '@chakra-ui/react';
import { Button } from '../ui/button';

type WayOnProps = {
  /** Undefined while it is not known: then there is no way on yet. */
  done: boolean | undefined;
  onDone: () => void;
};

/** Leads past a step that is done, or past one that can wait. */
export function WayOn({ done, onDone }: WayOnProps) {
  if (done === undefined) return null;
  return (
    <Flex>
      <Button variant={done ? 'contained' : 'quiet'} onClick={onDone}>
        {done ? 'Go on' : 'Skip for now'}
      </Button>
    </Flex>
  );
}
