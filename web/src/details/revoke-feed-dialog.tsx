import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../api/action';
import type { Person } from '../day/columns';
import { CalendarFeedService } from '../gen/frontdesk/calendarsync/v1/feed_pb';
import { messageOf } from '../http/errors';
import { ConfirmDialog } from '../ui/dialog';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { feedsQuery } from './queries';

type RevokeFeedDialogProps = { businessId: string; employee: Person; onClose: () => void };

/** Revokes an employee's address once that is confirmed. */
export function RevokeFeedDialog({ businessId, employee, onClose }: RevokeFeedDialogProps) {
  const queries = useQueryClient();
  const { act, running } = useAction(CalendarFeedService.method.revokeCalendarFeed, {
    onDone: () => {
      void queries.invalidateQueries({ queryKey: feedsQuery(businessId).queryKey });
      toasts.show('good', `The address of ${employee.name} is revoked.`);
      onClose();
    },
    onRefused: (error) => {
      toasts.show('bad', messageOf(error, 'The address could not be revoked.'));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke the address of ${employee.name}?`}
      confirm="Revoke"
      keep="Keep it"
      running={running}
      onConfirm={() => act({ businessId, employeeId: employee.id })}
      onClose={onClose}
    >
      <Text>Calendars that read it learn nothing new from then on. What they have stays there.</Text>
    </ConfirmDialog>
  );
}
