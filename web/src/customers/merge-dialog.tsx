import { Grid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeftRight } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action';
import { readCustomersAgain } from '../business/read-customers-again';
import { CustomerMergeService } from '../gen/frontdesk/tenancy/v1/customer_merge_pb';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { Button } from '../ui/button';
import { Surface } from '../ui/card';
import { DialogActions, FormDialog } from '../ui/dialog';
import { Fact, Facts } from '../ui/facts';
import { phoneText } from '../ui/phone';
import { RowsSkeleton } from '../ui/skeleton';
import { Refusal } from '../ui/states';
import { H3, Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';
import { CustomerPicker } from './customer-picker';
import { mergePreviewQuery } from './queries';
import { undoMerge } from './undo-merge';

type MergeDialogProps = {
  businessId: string;
  customer: Customer;
  onMerged: (customerId: string) => void;
  onClose: () => void;
};

/** Makes this customer and another one: which is chosen here, and what will be kept is shown before. */
export function MergeDialog({ businessId, customer, onMerged, onClose }: MergeDialogProps) {
  const [other, setOther] = useState<Customer | null>(null);
  const [swapped, setSwapped] = useState(false);
  const [stays, goes] = swapped && other ? [other, customer] : [customer, other];
  const preview = useQuery({
    ...mergePreviewQuery(businessId, stays.id, goes?.id ?? ''),
    enabled: other !== null,
  });
  const { act, running, error } = useAction(CustomerMergeService.method.mergeCustomers, {
    onDone: ({ merge }) => {
      void readCustomersAgain();
      if (merge) {
        const undo = undos.push(undoMerge(businessId, merge));
        toasts.show('good', `Merged ${merge.mergedName} into ${stays.name}.`, undo);
        onMerged(merge.customerId);
      }
      onClose();
    },
  });
  const merge = () => {
    const { customer: seen, merged } = preview.data ?? {};
    if (!seen || !merged) return;
    act({
      businessId,
      customerId: seen.id,
      mergedCustomerId: merged.id,
      version: seen.version,
      mergedVersion: merged.version,
    });
  };
  return (
    <FormDialog
      wide
      title={`Merge ${customer.name} with another customer`}
      busy={running}
      onSubmit={merge}
      onClose={onClose}
    >
      <CustomerPicker
        businessId={businessId}
        customer={other}
        otherThan={customer.id}
        autoFocus
        onChange={(chosen) => {
          setOther(chosen);
          setSwapped(false);
        }}
      />
      {goes && (
        <>
          <Reading
            query={preview}
            what="What the merge keeps"
            skeleton={<RowsSkeleton rows={3} label="Comparing" />}
          >
            {({ customer: first, merged, combined }) =>
              first &&
              merged &&
              combined && (
                <Grid
                  gap="4"
                  gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(3, minmax(0, 1fr))' }}
                >
                  <Side title="Kept" of={first} />
                  <Side title="Merged into it" of={merged} />
                  <Side title="After the merge" of={combined} result />
                </Grid>
              )
            }
          </Reading>
          <Text>
            Visits, calls, notes, follow-ups and waitlist entries of {goes.name} become those of {stays.name}.
            Calls from either number find {stays.name}. You can undo this for 10 minutes.
          </Text>
          <Button alignSelf="flex-start" disabled={running} onClick={() => setSwapped(!swapped)}>
            <ArrowLeftRight size={18} aria-hidden />
            Keep {goes.name} instead
          </Button>
        </>
      )}
      <Refusal>{error && messageOf(error, 'The customers could not be merged.')}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={running} disabled={!preview.data}>
          {goes ? `Merge into ${stays.name}` : 'Merge'}
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

function Side({ title, of, result = false }: { title: string; of: Customer; result?: boolean }) {
  const consent = of.marketingConsent;
  return (
    <Surface as="section" aria-label={title} p="4" {...(result ? { borderColor: 'brand.solid' } : {})}>
      <Stack gap="3">
        <Stack gap="0">
          <Muted>{title}</Muted>
          <H3 overflowWrap="anywhere">{of.name}</H3>
        </Stack>
        <Facts>
          <Fact name="Phone">{of.phone ? phoneText(of.phone) : 'None'}</Fact>
          <Fact name="E-mail" long>
            {of.email || 'None'}
          </Fact>
          <Fact name="Tags">{of.tags.join(', ') || 'None'}</Fact>
          <Fact name="Advertising">
            {!consent ? 'Not asked' : consent.given ? 'Agrees' : 'Does not want it'}
          </Fact>
        </Facts>
      </Stack>
    </Surface>
  );
}
