import { Flex, Grid, Stack } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useAction } from '../api/action';
import { type BookingPolicy, BookingPolicyService } from '../gen/frontdesk/scheduling/v1/booking_policy_pb';
import { messageOf } from '../http/errors';
import { LeaveGuard } from '../layout/leave-guard';
import { Reading } from '../layout/reading';
import { useKeptForm } from '../session/use-draft';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Fact, Facts } from '../ui/facts';
import { SelectField } from '../ui/select-field';
import { RowsSkeleton } from '../ui/skeleton';
import { Refusal } from '../ui/states';
import { Muted } from '../ui/text';
import { toasts } from '../ui/toasts';
import { durationText, HORIZONS, INCREMENTS, LEADS, withCurrent } from './policy-values';
import { policyQuery } from './queries';

type PolicyCardProps = { businessId: string; changes: boolean };

/** When visits can be booked and cancelled. */
export function PolicyCard({ businessId, changes }: PolicyCardProps) {
  const query = useQuery(policyQuery(businessId));
  return (
    <Card title="Booking rules">
      <Reading
        query={query}
        what="The booking rules"
        skeleton={<RowsSkeleton rows={3} label="Loading booking rules" />}
      >
        {({ policy }) =>
          policy &&
          (changes ? (
            <PolicyForm key={JSON.stringify(valuesOf(policy))} businessId={businessId} policy={policy} />
          ) : (
            <Read policy={policy} />
          ))
        }
      </Reading>
    </Card>
  );
}

function Read({ policy }: { policy: BookingPolicy }) {
  return (
    <Facts>
      <Fact name="Offered starts">Every {durationText(policy.incrementMinutes)}</Fact>
      <Fact name="Customers book at the latest">{beforeText(policy.leadMinutes, 'Up to the start')}</Fact>
      <Fact name="Booked at the earliest">{durationText(policy.horizonDays * 24 * 60)} ahead</Fact>
      <Fact name="Cancelled at the latest">{beforeText(policy.cancellationWindowMinutes, 'Any time')}</Fact>
    </Facts>
  );
}

function beforeText(minutes: number, none: string): string {
  return minutes === 0 ? none : `${durationText(minutes)} before`;
}

const valuesOf = (policy: BookingPolicy) => ({
  incrementMinutes: policy.incrementMinutes,
  leadMinutes: policy.leadMinutes,
  horizonDays: policy.horizonDays,
  cancellationWindowMinutes: policy.cancellationWindowMinutes,
});

function PolicyForm({ businessId, policy }: { businessId: string; policy: BookingPolicy }) {
  const queries = useQueryClient();
  const form = useForm({ defaultValues: valuesOf(policy) });
  useKeptForm('booking rules', form);
  const { isDirty } = form.formState;
  const { act, running, error } = useAction(BookingPolicyService.method.updateBookingPolicy, {
    onDone: (answer) => {
      queries.setQueryData(
        policyQuery(businessId).queryKey,
        (before) => before && { ...before, policy: answer.policy },
      );
      toasts.show('good', 'The booking rules are saved.');
    },
  });
  const number = { valueAsNumber: true } as const;
  return (
    <>
      <form noValidate onSubmit={form.handleSubmit((values) => act({ businessId, policy: values }))}>
        <Stack gap="4">
          <Grid gap="4" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }} alignItems="start">
            <SelectField label="Offer a start every" {...form.register('incrementMinutes', number)}>
              {withCurrent(INCREMENTS, policy.incrementMinutes).map((minutes) => (
                <option key={minutes} value={minutes}>
                  {durationText(minutes)}
                </option>
              ))}
            </SelectField>
            <SelectField label="Customers book at the latest" {...form.register('leadMinutes', number)}>
              {withCurrent(LEADS, policy.leadMinutes).map((minutes) => (
                <option key={minutes} value={minutes}>
                  {beforeText(minutes, 'Up to the start')}
                </option>
              ))}
            </SelectField>
            <SelectField label="Book at the earliest" {...form.register('horizonDays', number)}>
              {withCurrent(HORIZONS, policy.horizonDays).map((days) => (
                <option key={days} value={days}>
                  {durationText(days * 24 * 60)} ahead
                </option>
              ))}
            </SelectField>
            <SelectField
              label="Customers cancel at the latest"
              {...form.register('cancellationWindowMinutes', number)}
            >
              {withCurrent(LEADS, policy.cancellationWindowMinutes).map((minutes) => (
                <option key={minutes} value={minutes}>
                  {beforeText(minutes, 'Any time')}
                </option>
              ))}
            </SelectField>
          </Grid>
          <Muted>What is booked already stays as it is.</Muted>
          <Refusal>{error && messageOf(error, 'The booking rules could not be saved.')}</Refusal>
          <Flex>
            <Button type="submit" variant="contained" loading={running} disabled={!isDirty}>
              Save rules
            </Button>
          </Flex>
        </Stack>
      </form>
      {isDirty && <LeaveGuard />}
    </>
  );
}
