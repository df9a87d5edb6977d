import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useSending } from '../api/action';
import { call } from '../api/call';
import { methodKey } from '../api/query';
import { refuseFields } from '../api/refuse-fields';
import { useStartOver } from '../api/use-start-over';
import { type Customer, CustomerService } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { ApiError } from '../http/errors';
import { useKeptForm } from '../session/use-draft';
import { FormDialog, SaveActions } from '../ui/dialog';
import { TextField } from '../ui/field';
import { phoneText } from '../ui/phone';
import { Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';
import { WordsField } from '../ui/words-field';
import { type CustomerValues, fieldOf, valuesOf } from './customer-values';
import { customerQuery } from './queries';
import { undoSaving } from './undo-saving';

type CustomerDialogProps = {
  businessId: string;
  /** The one to change, as it is now; none to add a new one. */
  customer?: Customer;
  /** What is known of a new one. */
  before?: Partial<CustomerValues>;
  onSaved?: (customer: Customer) => void;
  onClose: () => void;
};

/** Of what the person may not see. */
const KEPT = 'Hidden from you. Leave empty to keep it.';

/** Adds a customer, or changes one. */
export function CustomerDialog(props: CustomerDialogProps) {
  const { customer, before, onClose } = props;
  const form = useForm<CustomerValues>({ defaultValues: { ...asShown(customer), ...before } });
  useKeptForm(customer ? 'edit customer' : 'new customer', form);
  const { errors, isSubmitting } = form.formState;
  const { save, startOver } = useSaving(props, form);
  const tags = form.watch('tags');
  return (
    <FormDialog
      title={customer ? `Edit ${customer.name}` : 'New customer'}
      busy={isSubmitting}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autoFocus
        autoComplete="off"
        maxLength={200}
        error={errors.name?.message}
        {...form.register('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
      />
      <TextField
        label={customer?.contactHidden ? 'New phone (optional)' : 'Phone (optional)'}
        hint={customer?.contactHidden ? KEPT : undefined}
        type="tel"
        autoComplete="off"
        error={errors.phone?.message}
        {...form.register('phone')}
      />
      <TextField
        label={customer?.contactHidden ? 'New e-mail (optional)' : 'E-mail (optional)'}
        hint={customer?.contactHidden ? KEPT : undefined}
        type="email"
        autoComplete="off"
        error={errors.email?.message}
        {...form.register('email')}
      />
      {customer && (
        <WordsField
          label="Tags"
          hint="Press Enter after each tag."
          error={errors.tags?.message}
          words={tags}
          onChange={(words) => form.setValue('tags', words, { shouldDirty: true })}
        />
      )}
      <Refusal>{errors.root?.message}</Refusal>
      <SaveActions
        save={customer ? 'Save customer' : 'Add customer'}
        saving={isSubmitting}
        startOver={startOver}
        onCancel={onClose}
      />
    </FormDialog>
  );
}

/** Sends what the form amounts to; what is refused is said at its field. */
function useSaving(
  { businessId, customer, onSaved, onClose }: CustomerDialogProps,
  form: ReturnType<typeof useForm<CustomerValues>>,
) {
  const queries = useQueryClient();
  const { read, onStale, startOver } = useStartOver(customer, customer, (to) => form.reset(asShown(to)));

  const create = useSending(CustomerService.method.createCustomer);

  const send = async ({ name, phone, email, tags }: CustomerValues): Promise<Customer | undefined> => {
    const contact = { businessId, name: name.trim(), phone: phone.trim(), email: email.trim() };
    if (!read) return (await create(contact)).customer;
    const { id: customerId, version } = read;
    return (await call(CustomerService.method.updateCustomer, { ...contact, customerId, version, tags }))
      .customer;
  };

  const save = form.handleSubmit(async (values) => {
    try {
      const saved = await send(values);
      void queries.invalidateQueries({ queryKey: [methodKey(CustomerService.method.listCustomers)] });
      if (saved) {
        const { queryKey } = customerQuery(businessId, saved.id);
        queries.setQueryData(queryKey, (before) => before && { ...before, customer: saved });
      }
      // Contact that the person may not see could not be given back.
      const undo =
        read && saved && !read.contactHidden ? undos.push(undoSaving(businessId, saved, read)) : undefined;
      toasts.show('good', `${read ? 'Saved' : 'Added'} ${values.name.trim()}.`, undo);
      onClose();
      if (saved) onSaved?.(saved);
    } catch (error) {
      refuse(error);
    }
  });

  const refuse = (error: unknown) => {
    if (error instanceof ApiError && error.reason === 'STALE' && customer) {
      onStale();
      void queries.invalidateQueries({ queryKey: customerQuery(businessId, customer.id).queryKey });
    }
    refuseFields(form, error, fieldOf, 'The customer could not be saved.');
  };

  return { save, startOver };
}

/** What is on record, with the phone number grouped as it is everywhere else. */
function asShown(customer: Customer | undefined): CustomerValues {
  const values = valuesOf(customer);
  return { ...values, phone: phoneText(values.phone) };
}
