import { useState } from 'react';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { Refusal } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { saveCustomer } from './export-customer';
import { saveAllCustomers } from './export-customers';

type ExportDialogProps = {
  businessId: string;
  /** Of whom; without, of all. */
  customer?: Customer;
  onClose: () => void;
};

/** Asks before customers' data leaves, and says who hears of it. */
export function ExportDialog({ businessId, customer, onClose }: ExportDialogProps) {
  const [running, setRunning] = useState(false);
  const [read, setRead] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const save = async () => {
    setRunning(true);
    setRead(0);
    setError(null);
    try {
      await (customer ? saveCustomer(businessId, customer) : saveAllCustomers(businessId, setRead));
      toasts.show('good', customer ? `Exported ${customer.name}.` : 'Exported all customers.');
      onClose();
    } catch (failed) {
      setError(failed);
    } finally {
      setRunning(false);
    }
  };
  return (
    <FormDialog
      title={customer ? `Export ${customer.name}` : 'Export all customers'}
      busy={running}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Text>
        {customer
          ? `A file with everything kept of ${customer.name} is saved: contact, notes, patch tests, formulas, visits, the waitlist, follow-ups, and calls with what was said and noted.`
          : 'A table of all customers with phone numbers, e-mail addresses and tags is saved.'}
      </Text>
      {customer && (
        <Text>
          Recordings are not in it: the file names the calls that have one. Download it on the page of each.
        </Text>
      )}
      <Text>It is noted that you took it, and the owners are told by e-mail. Keep the file safe.</Text>
      {running && read > 0 && (
        <Muted role="status">{read.toLocaleString()} customers are read so far …</Muted>
      )}
      <Refusal>{error ? messageOf(error, 'The export did not go through.') : undefined}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          Export
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
