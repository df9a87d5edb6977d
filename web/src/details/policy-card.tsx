import { Flex, Grid, Stack } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useAction } from '../api/action';
import { type BookingPolicy, BookingPolicyService } from '../gen/frontdesk/scheduling/v1/booking_policy_pb';
import { ApiError, fieldErrorsOf, messageOf } from '../http/errors';
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
import { type PolicyValues, useCutShort } from './cut-short';
import { CutShortStep } from './cut-short-step';
import { durationText, HORIZONS, INCREMENTS, LEADS, withCurrent } from './policy-values';
import { policyQuery } from './queries';

type PolicyCardProps = { businessId: string; zone: string; changes: boolean };

/** When visits can be booked and cancelled. */
export function PolicyCard({ businessId, zone, changes }: PolicyCardProps) {
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
            <PolicyForm
              key={JSON.stringify(valuesOf(policy))}
              businessId={businessId}
              zone={zone}
              policy={policy}
            />
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

const valuesOf = (policy: BookingPolicy): PolicyValues => ({
  incrementMinutes: policy.incrementMinutes,
  leadMinutes: policy.leadMinutes,
  horizonDays: policy.horizonDays,
  cancellationWindowMinutes: policy.cancellationWindowMinutes,
});

type PolicyFormProps = { businessId: string; zone: string; policy: BookingPolicy };

function PolicyForm({ businessId, zone, policy }: PolicyFormProps) {
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
    onRefused: (refused) => {
      if (!(refused instanceof ApiError) || refused.reason !== 'STALE') return;
      // The form begins anew from what is read.
      toasts.show('bad', 'Someone else has changed the booking rules. These are theirs: change them again.');
      void queries.invalidateQueries({ queryKey: policyQuery(businessId).queryKey });
    },
  });
  const save = (values: PolicyValues) => act({ businessId, policy: values, seen: policy });
  const cutShort = useCutShort(businessId, policy, save);
  const visits = cutShort.shownFor(form.watch());
  const failure = error ?? cutShort.error;
  const number = { valueAsNumber: true } as const;
  return (
    <>
      <form noValidate onSubmit={form.handleSubmit(cutShort.apply)}>
        <Stack gap="4">
          <Grid gap="4" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }} alignItems="start">
            <SelectField label="Offer a start every" {...form.register('incrementMinutes', number)}>
              {withCurrent(INCREMENTS, policy.incrementMinutes).map((minutes) => (
                <option key={minutes} value={minutes}>
                  {durationText(minutes)}
                </option>
              ))}
            </SelectField>
            <SelectField
              label="Customers book at the latest"
              error={fieldErrorsOf(error)['policy.lead_minutes']}
              {...form.register('leadMinutes', number)}
            >
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
          <Muted>
            What is booked already stays. Until when customers can cancel it follows these rules from now on.
          </Muted>
          {visits.length > 0 && <CutShortStep businessId={businessId} zone={zone} visits={visits} />}
          <Refusal>{failure && messageOf(failure, 'The booking rules could not be saved.')}</Refusal>
          <Flex>
            <Button
              type="submit"
              variant={visits.length > 0 ? 'danger' : 'contained'}
              loading={running || cutShort.running}
              disabled={!isDirty}
            >
              {visits.length > 0 ? 'Save anyway' : 'Save rules'}
            </Button>
          </Flex>
        </Stack>
      </form>
      {isDirty && <LeaveGuard />}
    </>
  );
}
