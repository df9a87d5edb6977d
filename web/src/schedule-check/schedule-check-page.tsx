import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { rpcQuery } from '../api/query';
import { ChosenBusiness, useBusinessHere } from '../business/chosen-business';
import { employeesQuery } from '../business/queries';
import { useZone } from '../business/use-zone';
import { AvailabilityService } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { CatalogueTabs } from '../services/catalogue-tabs';
import { useServices } from '../services/use-services';
import { Surface } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Answer } from './answer';
import { instantOf } from './instant';
import { questionOf, searchOf } from './question';
import { QuestionForm } from './question-form';

export function Component() {
  const { businessId, role, chosen } = useBusinessHere();
  return (
    <Page
      title="Schedule check"
      lead="Whether a time is free, by the rules that every booking goes through, and what is in its way."
    >
      {!chosen && <CatalogueTabs businessId={businessId} role={role} current="Check a time" />}
      <ChosenBusiness>
        <Check key={businessId} businessId={businessId} />
      </ChosenBusiness>
    </Page>
  );
}

const explainQuery = (businessId: string, items: { serviceId: string; employeeId: string }[], at: Date) =>
  rpcQuery(AvailabilityService.method.explainAvailability, {
    businessId,
    items,
    startsAt: timestampFromDate(at),
    language: 'en',
  });

function Check({ businessId }: { businessId: string }) {
  const [search, setSearch] = useSearchParams();
  const services = useServices(businessId);
  const employees = useQuery(employeesQuery(businessId));
  const zone = useZone(businessId);
  const question = questionOf(search);
  const at = instantOf(question.at, zone);
  const asked = question.items.length > 0 && question.items.every(({ serviceId }) => serviceId) && at;
  const answer = useQuery({
    ...explainQuery(businessId, question.items, at ?? new Date(0)),
    enabled: Boolean(asked),
    // A time may be taken the moment after.
    staleTime: 0,
  });
  const skeleton = (
    <Surface>
      <RowsSkeleton rows={4} label="Loading the check" />
    </Surface>
  );
  return (
    <Reading query={services} what="The services" framed missingIsPage skeleton={skeleton}>
      {({ pages }) => (
        <Reading query={employees} what="The people" framed missingIsPage skeleton={skeleton}>
          {({ employees: people }) => (
            <Stack gap="6">
              <QuestionForm
                key={search.toString()}
                before={question}
                services={pages.flatMap((page) => page.services)}
                people={people}
                zone={zone}
                checking={answer.isFetching}
                onAsk={(wanted) => {
                  const after = searchOf(wanted, search);
                  if (after.toString() === search.toString()) void answer.refetch();
                  else setSearch(after);
                }}
              />
              {asked && (
                <Reading query={answer} what="The answer" framed skeleton={skeleton}>
                  {(explained) => <Answer businessId={businessId} answer={explained} />}
                </Reading>
              )}
            </Stack>
          )}
        </Reading>
      )}
    </Reading>
  );
}
