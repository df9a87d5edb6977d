import { Grid } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { useSending } from '../api/action';
import { call } from '../api/call';
import { refuseFields } from '../api/refuse-fields';
import { useStartOver } from '../api/use-start-over';
import { businessQuery } from '../business/queries';
import { type Item, ItemService } from '../gen/frontdesk/tenancy/v1/item_pb';
import { ApiError } from '../http/errors';
import { useKeptForm } from '../session/use-draft';
import { FormDialog, SaveActions } from '../ui/dialog';
import { TextField } from '../ui/field';
import { currencySymbol } from '../ui/money';
import { SelectField } from '../ui/select-field';
import { Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';
import { detailsOf, fieldOf, type ItemValues, valuesOf } from './item-values';
import { itemQuery, suppliersQuery } from './queries';
import { readItemsAgain } from './read-items-again';
import { undoEdit } from './undo-item';

type ItemDialogProps = {
  businessId: string;
  /** The one to change, as it is now; none to add a new one. */
  item?: Item;
  onSaved?: (item: Item) => void;
  onClose: () => void;
};

/** Adds an item, or changes one. */
export function ItemDialog(props: ItemDialogProps) {
  const { businessId, item, onClose } = props;
  const form = useForm<ItemValues>({ defaultValues: valuesOf(item) });
  useKeptForm(item ? 'edit item' : 'new item', form);
  const { errors, isSubmitting } = form.formState;
  const { save, startOver } = useSaving(props, form);
  return (
    <FormDialog
      title={item ? `Edit ${item.details?.name}` : 'New item'}
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
        {...form.register('name')}
      />
      <TextField
        label="Category (optional)"
        autoComplete="off"
        maxLength={80}
        error={errors.category?.message}
        {...form.register('category')}
      />
      <Grid gap="3" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }} alignItems="start">
        <TextField
          label="SKU (optional)"
          hint="Your own code, unique among items."
          autoComplete="off"
          maxLength={64}
          error={errors.sku?.message}
          {...form.register('sku')}
        />
        <TextField
          label="Barcode (optional)"
          hint="Scan it, or type its digits."
          inputMode="numeric"
          autoComplete="off"
          error={errors.barcode?.message}
          {...form.register('barcode')}
        />
      </Grid>
      <Amounts businessId={businessId} item={item} form={form} />
      <SupplierField businessId={businessId} form={form} />
      <Grid gap="3" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }} alignItems="start">
        <TextField
          label="Low at (optional)"
          hint="Marked as low at this stock or less."
          inputMode="numeric"
          autoComplete="off"
          error={errors.lowStockAt?.message}
          {...form.register('lowStockAt')}
        />
        <TextField
          label="Unit (optional)"
          hint="Such as ml; leave empty for pieces."
          autoComplete="off"
          maxLength={20}
          error={errors.unit?.message}
          {...form.register('unit')}
        />
      </Grid>
      <Refusal>{errors.root?.message}</Refusal>
      <SaveActions
        save={item ? 'Save item' : 'Add item'}
        saving={isSubmitting}
        startOver={startOver}
        onCancel={onClose}
      />
    </FormDialog>
  );
}

type PartProps = { businessId: string; item?: Item | undefined; form: UseFormReturn<ItemValues> };

function Amounts({ businessId, item, form }: PartProps) {
  const currency = useCurrency(businessId, item);
  const { errors } = form.formState;
  const beside = currency ? ` (${currencySymbol(currency)}, optional)` : ' (optional)';
  const missing = currency ? undefined : 'Choose the business’s currency first, under Details.';
  return (
    <Grid gap="3" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr 1fr' }} alignItems="start">
      <TextField
        label={`Price${beside}`}
        hint={missing ?? 'Leave empty if it isn’t for sale.'}
        inputMode="decimal"
        autoComplete="off"
        disabled={!currency}
        error={errors.price?.message}
        {...form.register('price')}
      />
      <TextField
        label={`Cost${beside}`}
        inputMode="decimal"
        autoComplete="off"
        disabled={!currency}
        error={errors.cost?.message}
        {...form.register('cost')}
      />
      <TextField
        label="Tax (%, optional)"
        inputMode="decimal"
        autoComplete="off"
        error={errors.tax?.message}
        {...form.register('tax')}
      />
    </Grid>
  );
}

function SupplierField({ businessId, form }: PartProps) {
  const suppliers = useQuery(suppliersQuery(businessId)).data?.suppliers ?? [];
  return (
    <SelectField
      label="Supplier (optional)"
      error={form.formState.errors.supplierId?.message}
      {...form.register('supplierId')}
    >
      <option value="">None</option>
      {suppliers.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

function useCurrency(businessId: string, item: Item | undefined): string {
  const business = useQuery(businessQuery(businessId)).data?.business;
  return business?.currency || item?.currency || '';
}

/** Sends what the form amounts to; what is refused is said at its field. */
function useSaving({ businessId, item, onSaved, onClose }: ItemDialogProps, form: UseFormReturn<ItemValues>) {
  const queries = useQueryClient();
  const currency = useCurrency(businessId, item);
  const { read, onStale, startOver } = useStartOver(item, item, (to) => form.reset(valuesOf(to)));
  const create = useSending(ItemService.method.createItem);

  const save = form.handleSubmit(async (values) => {
    const { details, problems } = detailsOf(values, currency);
    for (const [index, { field, message }] of problems.entries())
      form.setError(field, { message }, { shouldFocus: index === 0 });
    if (problems.length > 0) return;
    try {
      const saved = read
        ? await call(ItemService.method.updateItem, {
            businessId,
            itemId: read.id,
            version: read.version,
            details,
          })
        : await create({ businessId, details });
      const readAgain = () => readItemsAgain(queries);
      readAgain();
      toasts.show(
        'good',
        read ? `Saved ${details.name}.` : `Added ${details.name}.`,
        undoEdit(businessId, read, saved.item, readAgain),
      );
      onClose();
      if (saved.item) onSaved?.(saved.item);
    } catch (error) {
      refuse(error);
    }
  });

  const refuse = (error: unknown) => {
    if (error instanceof ApiError && error.reason === 'STALE' && item) {
      onStale();
      void queries.invalidateQueries({ queryKey: itemQuery(businessId, item.id).queryKey });
    }
    refuseFields(form, error, fieldOf, 'The item could not be saved.');
  };

  return { save, startOver };
}
