import { Stack } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { contactPolicyQuery } from '../business/contact-policy';
import { ContactPolicyService } from '../gen/frontdesk/scheduling/v1/contact_policy_pb';
import { messageOf } from '../http/errors';
import { CheckField } from '../ui/check-field';
import { Refusal } from '../ui/states';
import { Muted } from '../ui/text';
import { toasts } from '../ui/toasts';

/** Whether employees see how to reach all customers, or only those of their own visits. */
export function ContactPolicyField({ businessId }: { businessId: string }) {
  const queries = useQueryClient();
  const read = contactPolicyQuery(businessId);
  const policy = useQuery(read).data?.policy;
  // The new setting, until the server has answered.
  const [asked, setAsked] = useState<boolean | null>(null);
  const { act, running, error } = useAction(ContactPolicyService.method.updateContactPolicy, {
    onRefused: () => setAsked(null),
    onDone: ({ policy: changed }) => {
      setAsked(null);
      queries.setQueryData(read.queryKey, (before) => before && { ...before, policy: changed });
      toasts.show(
        'good',
        changed?.employeesSeeAll
          ? 'Employees now see every customer’s phone number and e-mail.'
          : 'Employees now see phone numbers and e-mails of their own customers only.',
      );
    },
  });
  if (!policy) return null;
  return (
    <Stack gap="1">
      <CheckField
        label="Employees see every customer’s phone number and e-mail"
        checked={asked ?? policy.employeesSeeAll}
        onChange={({ target: { checked } }) => {
          if (running) return;
          setAsked(checked);
          act({ businessId, policy: { employeesSeeAll: checked } });
        }}
      />
      <Muted fontSize="0.875rem">
        Otherwise they see those of customers with a visit of theirs in the 30 days before or after today.
        Managers and owners always see all.
      </Muted>
      <Refusal>{error && messageOf(error, 'The setting could not be changed.')}</Refusal>
    </Stack>
  );
}
