import { Stack } from '@chakra-ui/react';
import { Clock, TimerOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Hold } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { clockText, moment } from '../time/zoned';
import { Button } from '../ui/button';
import { Note } from '../ui/states';
import { Figures, ScreenReaderOnly } from '../ui/text';
import { useNow } from '../ui/use-now';

/** How long the time stays held, and what to do when the hold has expired. */
export function HeldPart({ hold, onAgain }: { hold: Hold; onAgain: () => void }) {
  const now = useNow(1000);
  const left = (moment(hold.expiresAt)?.getTime() ?? 0) - now.getTime();
  if (left <= 0) {
    return (
      <Note
        tone="warn"
        icon={TimerOff}
        role="alert"
        action={<Button onClick={onAgain}>Hold it again</Button>}
      >
        This time is no longer held.
      </Note>
    );
  }
  return (
    <Note tone="info" icon={Clock}>
      Held for you for <Figures fontWeight="650">{clockText(left)}</Figures>
    </Note>
  );
}

/** The heading of the step after the choice; it takes the focus. */
export function StepHeading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Stack as="h3" ref={heading} tabIndex={-1} outline="none" fontSize="1.0625rem" fontWeight="600">
      <span>
        {children}
        <ScreenReaderOnly>, chosen</ScreenReaderOnly>
      </span>
    </Stack>
  );
}
