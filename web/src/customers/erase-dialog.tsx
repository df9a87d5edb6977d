import { Box, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { allUpcomingQuery } from '../appointments/queries';
import { readCustomersAgain } from '../business/read-customers-again';
import { AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { ErasureService } from '../gen/frontdesk/tenancy/v1/erasure_pb';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { Refusal } from '../ui/states';
import { H3, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { cancelledText } from './erasure-text';

const GOES = [
  'Name, phone, e-mail and tags, and those of records that were merged',
  'Notes, patch tests, formulas and answers about advertising',
  'Follow-ups about the person, their calls or their number',
  'What was said in calls, summaries, notes about calls',
  'The name in employees’ calendars, notes of visits, the waitlist',
  'The person in what was changed, imported and answered before',
];

const STAYS = [
  'Visits that were: when, which services, with whom, at which price. They are an erased customer’s',
  'How many calls there were and what came of each, for the insights',
  'Who erased whom and when, by the record’s number',
  'Entries that employees made themselves in their own calendars, and letters that were sent',
];

type EraseDialogProps = { businessId: string; customer: Customer; onClose: () => void };

/** Says what goes and what stays before a person is erased, and asks for the name so that it is the right one. */
export function EraseDialog({ businessId, customer, onClose }: EraseDialogProps) {
  const [typed, setTyped] = useState('');
  const upcoming = useQuery(allUpcomingQuery(businessId, customer.id)).data;
  const toCome = upcoming?.filter(({ state }) => state !== AppointmentState.CANCELLED).length;
  const { act, running, error } = useAction(ErasureService.method.eraseCustomer, {
    onDone: () => {
      void readCustomersAgain();
      toasts.show('good', `Erasing ${customer.name}. The page shows how far it is.`);
      onClose();
    },
  });
  const matches = typed.trim().toLowerCase() === customer.name.trim().toLowerCase();
  return (
    <FormDialog
      wide
      title={`Erase ${customer.name}`}
      busy={running}
      onSubmit={() => matches && act({ businessId, customerId: customer.id })}
      onClose={onClose}
    >
      <Text>
        Everything that says who {customer.name} is goes, from every part of Frontdesk. This can’t be undone:
        no copy is kept from which it could be brought back. If {customer.name} wants a copy of their data,
        export it first.
      </Text>
      <Stack direction={{ base: 'column', md: 'row' }} gap="6">
        <Lines title="This goes" lines={GOES} />
        <Lines title="This stays" lines={STAYS} />
      </Stack>
      <Text>{cancelledText(toCome)}</Text>
      <TextField
        label={`Type ${customer.name} to erase them`}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Refusal>{error && messageOf(error, 'The customer could not be erased.')}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="danger" loading={running} disabled={!matches}>
          Erase for good
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <Box flex="1">
      <H3>{title}</H3>
      <Box as="ul" ps="5" listStyleType="disc">
        {lines.map((line) => (
          <li key={line}>{line}.</li>
        ))}
      </Box>
    </Box>
  );
}
