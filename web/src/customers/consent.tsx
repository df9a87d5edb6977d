import { Flex } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../api/action';
import { undoRecordAction } from '../business/undo-change';
import { type Customer, CustomerService } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { messageOf } from '../http/errors';
import { dateAndTime, moment } from '../time/zoned';
import { Button } from '../ui/button';
import { Refusal } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { ConsentHistory } from './consent-history';
import { consentChangesQuery, customerQuery } from './queries';

type ConsentProps = { businessId: string; customer: Customer; zone: string; editable: boolean };

/** Whether the customer agrees to advertising, since when, and what they say now. */
export function Consent({ businessId, customer, zone, editable }: ConsentProps) {
  const queries = useQueryClient();
  const { act, running, error } = useAction(CustomerService.method.recordMarketingConsent, {
    onDone: ({ customer: changed, changeId }, { given }) => {
      if (!changed) return;
      const { name } = changed;
      toasts.show(
        'good',
        given ? `${name} agrees to receive advertising.` : `${name} does not want advertising.`,
        undoRecordAction(businessId, changeId, `The answer of ${name} is taken back.`),
      );
      queries.setQueryData(
        customerQuery(businessId, changed.id).queryKey,
        (before) => before && { ...before, customer: changed },
      );
      void queries.invalidateQueries({ queryKey: consentChangesQuery(businessId, changed.id).queryKey });
    },
  });
  const consent = customer.marketingConsent;
  const at = moment(consent?.recordedAt);
  const record = (given: boolean) => act({ businessId, customerId: customer.id, given });
  return (
    <>
      <div role="status">
        <Text fontWeight="500">
          {!consent
            ? 'Not asked yet'
            : consent.given
              ? 'Agrees to receive advertising'
              : 'Does not want advertising'}
        </Text>
        {at && <Muted>Recorded {dateAndTime(at, zone)}</Muted>}
      </div>
      <ConsentHistory businessId={businessId} customerId={customer.id} zone={zone} />
      <Refusal>{error && messageOf(error, 'The answer could not be recorded.')}</Refusal>
      {editable && (
        <Flex gap="2" wrap="wrap">
          {!consent?.given && (
            <Button loading={running} onClick={() => record(true)}>
              Record agreement
            </Button>
          )}
          {consent?.given !== false && (
            <Button loading={running} onClick={() => record(false)}>
              {consent ? 'Record withdrawal' : 'Record refusal'}
            </Button>
          )}
        </Flex>
      )}
    </>
  );
}
