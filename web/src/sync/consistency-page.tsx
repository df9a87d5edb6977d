import { create } from '@bufbuild/protobuf';
import { Box, Stack } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, Scale } from 'lucide-react';
import { may } from '../api/access';
import { useAction } from '../api/action';
import { Allowed } from '../business/allowed';
import { ChosenBusiness, useBusinessHere } from '../business/chosen-business';
import { meQuery } from '../business/queries';
import { useEmployeeNames, useEmployeesOnRecord } from '../business/use-employees';
import { useZone } from '../business/use-zone';
import { ConsistencyAccess } from '../gen/access';
import {
  type ConsistencyCheck,
  ConsistencyService,
  GetConsistencyResponseSchema,
} from '../gen/frontdesk/calendarsync/v1/consistency_pb';
import { messageOf } from '../http/errors';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { PageSkeleton } from '../layout/skeletons';
import { allMembersQuery } from '../members/queries';
import { agoText } from '../time/ago';
import { dateAndTime, dateText, moment } from '../time/zoned';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty, Note, Refusal } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { useNow } from '../ui/use-now';
import { Differences } from './differences';
import { consistencyQuery } from './queries';
import { Sides } from './sides';
import { differencesLeft, troubleText } from './wording';

const MINUTE_MS = 60_000;

export function Component() {
  const { businessId } = useBusinessHere();
  return (
    <Page
      title="Consistency"
      lead="Whether the book agrees with every connected calendar and booking system, compared anew on request."
    >
      <ChosenBusiness>
        <Allowed
          businessId={businessId}
          least={ConsistencyAccess.getConsistency}
          waiting={<PageSkeleton kind="dashboard" />}
        >
          {(role) => <Consistency key={businessId} businessId={businessId} role={role} />}
        </Allowed>
      </ChosenBusiness>
    </Page>
  );
}

function Consistency({ businessId, role }: { businessId: string; role: string }) {
  const queries = useQueryClient();
  const zone = useZone(businessId);
  const last = useQuery(consistencyQuery(businessId));
  const found = last.data;
  const checked = found ? [...found.differences, ...found.sides] : [];
  const names = useEmployeeNames(
    businessId,
    checked.map(({ employeeId }) => employeeId),
  );
  const people = {
    me: useQuery(meQuery()).data?.id ?? '',
    employees: useEmployeesOnRecord(businessId),
    // Owners change visits, and many of them are no employees.
    members: useQuery(allMembersQuery(businessId)).data ?? [],
  };
  const { act, running, error } = useAction(ConsistencyService.method.checkConsistency, {
    onDone: ({ check, differences, sides }) => {
      const found = create(GetConsistencyResponseSchema, { differences, sides });
      queries.setQueryData(consistencyQuery(businessId).queryKey, check ? { ...found, check } : found);
    },
  });
  const mayCheck = may(ConsistencyAccess.checkConsistency, role);
  return (
    <Stack gap="6">
      <Card
        title="Last check"
        action={
          mayCheck && (
            <Button variant="contained" loading={running} onClick={() => act({ businessId })}>
              Check now
            </Button>
          )
        }
      >
        <Reading
          query={last}
          what="The last check"
          missingIsPage
          skeleton={<RowsSkeleton rows={2} label="Loading the last check" />}
        >
          {({ check, differences, sides }) =>
            !check ? (
              <Empty icon={Scale} title="Never checked">
                A check reads every calendar, compares it with the book, and changes nothing.
              </Empty>
            ) : sides.length === 0 ? (
              <Empty icon={Scale} title="Nothing was compared">
                When it was last checked, no calendar and no booking system was connected.
              </Empty>
            ) : (
              <Summary
                check={check}
                left={differencesLeft(check, differences.length)}
                writing={differences.filter(({ isBeingWritten }) => isBeingWritten).length}
                zone={zone}
              />
            )
          }
        </Reading>
        {running && <Muted role="status">Reading every calendar. This may take some minutes.</Muted>}
        <Refusal>{error && messageOf(error)}</Refusal>
      </Card>
      {found && found.sides.length > 0 && (
        <>
          <Differences
            businessId={businessId}
            differences={found.differences}
            total={found.check?.differenceCount ?? found.differences.length}
            role={role}
            zone={zone}
            names={names}
            people={people}
          />
          <Sides sides={found.sides} names={names} />
        </>
      )}
    </Stack>
  );
}

type SummaryProps = {
  check: ConsistencyCheck;
  left: number;
  /** How many of them were being written when the check found them. */
  writing: number;
  zone: string;
};

function Summary({ check, left, writing, zone }: SummaryProps) {
  const now = useNow(MINUTE_MS);
  const [checked, from, to, inStep] = [check.checkedAt, check.from, check.to, check.inStepAt].map(moment);
  const { appointmentCount, differenceCount, unreadSideCount } = check;
  const good = differenceCount === 0 && unreadSideCount === 0;
  const repairing = !good && left === 0 && unreadSideCount === 0;
  const appointments = appointmentCount === 1 ? '1 appointment' : `${appointmentCount} appointments`;
  const days = from && to ? `, ${dateText(from, zone)} to ${dateText(to, zone)}` : '';
  return (
    <Stack gap="3">
      <Note tone={good ? 'good' : 'warn'} icon={good ? CircleCheck : CircleAlert}>
        {good
          ? `In step as of ${checked ? dateAndTime(checked, zone) : 'the last check'}: ${appointments}${days}.`
          : repairing
            ? 'All differences are being repaired.'
            : troubleText(left, unreadSideCount, writing)}
      </Note>
      {!good && checked && (
        <Muted>
          Checked {agoText(checked < now ? checked : now, now)}: {appointments}
          {days}. {inStep ? `Last in step on ${dateAndTime(inStep, zone)}.` : 'It was never found in step.'}
        </Muted>
      )}
      <Box>
        <Text fontWeight="550">Digest of the book</Text>
        <Muted fontFamily="mono" fontSize="0.8125rem">
          {check.digest}
        </Muted>
        <Muted fontSize="0.875rem">
          A fingerprint of all appointments compared: two checks with the same digest found the same book.
        </Muted>
      </Box>
    </Stack>
  );
}
