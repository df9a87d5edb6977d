import { Stack } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import type { Person } from '../day/columns';
import { CalendarFeedService } from '../gen/frontdesk/calendarsync/v1/feed_pb';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { CheckField } from '../ui/check-field';
import { CopyField } from '../ui/copy-field';
import { DialogActions, FormDialog } from '../ui/dialog';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { feedsQuery } from './queries';

type MakeFeedDialogProps = {
  businessId: string;
  employee: Person;
  /** There is an address already, which then counts no more. */
  replaces: boolean;
  onClose: () => void;
};

/** Makes an employee's address, and shows it once. */
export function MakeFeedDialog({ businessId, employee, replaces, onClose }: MakeFeedDialogProps) {
  const queries = useQueryClient();
  const [namesCustomers, setNamesCustomers] = useState(false);
  const [address, setAddress] = useState('');
  const { act, running, error } = useAction(CalendarFeedService.method.makeCalendarFeed, {
    onDone: (made) => {
      void queries.invalidateQueries({ queryKey: feedsQuery(businessId).queryKey });
      setAddress(made.address);
    },
  });
  if (address) {
    return (
      <FormDialog title={`The address of ${employee.name}`} onSubmit={onClose} onClose={onClose}>
        <Text>
          Enter it in the other calendar as a subscription. It is not shown again: a lost address is replaced
          by another one.
        </Text>
        <CopyField label="Address" text={address} />
        <DialogActions>
          <Button type="submit" variant="contained">
            Done
          </Button>
        </DialogActions>
      </FormDialog>
    );
  }
  return (
    <FormDialog
      title={`${replaces ? 'Replace the address' : 'Make an address'} of ${employee.name}`}
      busy={running}
      onSubmit={() => act({ businessId, employeeId: employee.id, namesCustomers })}
      onClose={onClose}
    >
      <Stack gap="3">
        <Text>
          Any calendar that knows it reads {employee.name}’s appointments of the last two weeks and the next
          six months, most of them every few hours.
          {replaces && ' The address there is now counts no more.'}
        </Text>
        <CheckField
          label="With customers’ names"
          checked={namesCustomers}
          onChange={(event) => setNamesCustomers(event.currentTarget.checked)}
        />
      </Stack>
      <Refusal>{error && messageOf(error, 'The address could not be made.')}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          {replaces ? 'Replace' : 'Make the address'}
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
