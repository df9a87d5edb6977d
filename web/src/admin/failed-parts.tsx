import { CircleAlert } from 'lucide-react';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { Note } from '../ui/states';
import { ScreenReaderOnly } from '../ui/text';
import type { useHealth } from './health-queries';
import { PART_NAMES } from './wording';

/** What services did not say, each with a button to ask again. */
export function FailedParts({ failed }: { failed: ReturnType<typeof useHealth>['failed'] }) {
  return failed.map(({ part, partly, error, again }) => (
    <Note
      key={part}
      tone="warn"
      icon={CircleAlert}
      role="alert"
      action={
        <Button onClick={again}>
          Try again
          <ScreenReaderOnly>: {PART_NAMES[part]}</ScreenReaderOnly>
        </Button>
      }
    >
      {PART_NAMES[part]} can’t be shown{partly && ' for some businesses'}. {messageOf(error)}
    </Note>
  ));
}
