import { Flex, Stack } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2, Truck } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { intend, useAction, useSending } from '../api/action';
import { call } from '../api/call';
import { refuseFields } from '../api/refuse-fields';
import { takingBack } from '../business/taking-back';
import { type Supplier, SupplierService } from '../gen/frontdesk/tenancy/v1/supplier_pb';
import { ApiError, messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextArea, TextField } from '../ui/field';
import { phoneText } from '../ui/phone';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty, Refusal } from '../ui/states';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';
import { suppliersQuery } from './queries';
import { readItemsAgain } from './read-items-again';

type SuppliersDialogProps = { businessId: string; onClose: () => void };

/** Who the salon buys from. */
export function SuppliersDialog({ businessId, onClose }: SuppliersDialogProps) {
  const query = useQuery(suppliersQuery(businessId));
  const [editing, setEditing] = useState<Supplier | 'new' | null>(null);
  if (editing)
    return (
      <SupplierForm
        businessId={businessId}
        supplier={editing === 'new' ? undefined : editing}
        onClose={() => setEditing(null)}
      />
    );
  return (
    <FormDialog title="Suppliers" onSubmit={onClose} onClose={onClose}>
      <Reading query={query} what="The suppliers" skeleton={<RowsSkeleton label="Loading suppliers" />}>
        {({ suppliers }) =>
          suppliers.length === 0 ? (
            <Empty icon={Truck} title="No suppliers yet">
              Add who you buy from, so that items can name them.
            </Empty>
          ) : (
            <Stack as="ul" listStyleType="none" gap="0" aria-label="Suppliers">
              {suppliers.map((supplier) => (
                <SupplierRow
                  key={supplier.id}
                  businessId={businessId}
                  supplier={supplier}
                  onEdit={() => setEditing(supplier)}
                />
              ))}
            </Stack>
          )
        }
      </Reading>
      <DialogActions>
        <Button onClick={() => setEditing('new')} minHeight="12">
          Add supplier
        </Button>
        <Button type="submit" variant="contained">
          Close
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

type RowProps = { businessId: string; supplier: Supplier; onEdit: () => void };

function SupplierRow({ businessId, supplier, onEdit }: RowProps) {
  const queries = useQueryClient();
  const { name, phone, email } = supplier;
  const { act, running } = useAction(SupplierService.method.deleteSupplier, {
    onDone: () => {
      const readAgain = () => readItemsAgain(queries);
      readAgain();
      toasts.show('good', `Deleted ${name}.`, undoDeletion(businessId, supplier, readAgain));
    },
    onRefused: (error) =>
      toasts.show(
        'bad',
        error instanceof ApiError && error.reason === 'IN_USE'
          ? `${name} stays: items name this supplier.`
          : messageOf(error, `${name} could not be deleted.`),
      ),
  });
  return (
    <Flex as="li" gap="2" align="center" py="2" borderTop="1px solid" borderColor="line">
      <Stack gap="0" flex="1" minWidth="0">
        <Text fontWeight="600">{name}</Text>
        <Muted fontSize="0.875rem">{[phone && phoneText(phone), email].filter(Boolean).join(' · ')}</Muted>
      </Stack>
      <Button variant="quiet" onClick={onEdit}>
        <Pencil size={18} aria-hidden />
        <ScreenReaderOnly>Edit {name}</ScreenReaderOnly>
      </Button>
      <Button variant="quiet" loading={running} onClick={() => act({ businessId, supplierId: supplier.id })}>
        <Trash2 size={18} aria-hidden />
        <ScreenReaderOnly>Delete {name}</ScreenReaderOnly>
      </Button>
    </Flex>
  );
}

/** The action of a toast that tells of a deletion: no item names the supplier, so that another one is the same. */
function undoDeletion(businessId: string, supplier: Supplier, readAgain: () => void) {
  const { name, phone, email, note } = supplier;
  const create = (key: string) =>
    intend(SupplierService.method.createSupplier, { businessId, name, phone, email, note }, key);
  return undos.push(takingBack(create, `${name} is a supplier again.`, readAgain));
}

/** The action of a toast that tells of an edit; none where nothing was changed. */
function undoEdit(businessId: string, before: Supplier, left: Supplier, readAgain: () => void) {
  if (left.version === before.version) return undefined;
  const { id: supplierId, name, phone, email, note } = before;
  const request = { businessId, supplierId, version: left.version, name, phone, email, note };
  const update = (key: string) => intend(SupplierService.method.updateSupplier, request, key);
  return undos.push(takingBack(update, `${name} is as before.`, readAgain));
}

type Values = { name: string; phone: string; email: string; note: string };

type FormProps = { businessId: string; supplier: Supplier | undefined; onClose: () => void };

function SupplierForm({ businessId, supplier, onClose }: FormProps) {
  const queries = useQueryClient();
  const { name = '', phone = '', email = '', note = '' } = supplier ?? {};
  const form = useForm<Values>({ defaultValues: { name, phone: phoneText(phone), email, note } });
  const { errors, isSubmitting } = form.formState;
  const create = useSending(SupplierService.method.createSupplier);
  const readAgain = () => readItemsAgain(queries);
  const save = form.handleSubmit(async (values) => {
    try {
      const { supplier: saved } = supplier
        ? await call(SupplierService.method.updateSupplier, {
            businessId,
            supplierId: supplier.id,
            version: supplier.version,
            ...values,
          })
        : await create({ businessId, ...values });
      readAgain();
      const undo = supplier && saved && undoEdit(businessId, supplier, saved, readAgain);
      toasts.show('good', `Saved ${values.name.trim()}.`, undo);
      onClose();
    } catch (error) {
      // What a colleague saved meanwhile is there when the form is opened again.
      if (error instanceof ApiError && error.reason === 'STALE') readAgain();
      const fieldOf = (name: string) => (name in values ? (name as keyof Values) : undefined);
      refuseFields(form, error, fieldOf, 'The supplier could not be saved.');
    }
  });
  return (
    <FormDialog
      title={supplier ? `Edit ${supplier.name}` : 'New supplier'}
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
        {...form.register('name', { validate: (text) => text.trim() !== '' || 'Enter a name.' })}
      />
      <TextField
        label="Phone (optional)"
        type="tel"
        autoComplete="off"
        error={errors.phone?.message}
        {...form.register('phone')}
      />
      <TextField
        label="E-mail (optional)"
        type="email"
        autoComplete="off"
        error={errors.email?.message}
        {...form.register('email')}
      />
      <TextArea
        label="How to order (optional)"
        maxLength={500}
        error={errors.note?.message}
        {...form.register('note')}
      />
      <Refusal>{errors.root?.message}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={isSubmitting} minHeight="12">
          Back
        </Button>
        <Button type="submit" variant="contained" loading={isSubmitting}>
          Save supplier
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
