import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CalendarRange } from 'lucide-react';
import { ChosenBusiness, useBusinessHere } from '../business/chosen-business';
import { useSearch } from '../finding/use-search';
import type { AvailabilitySpan, EmployeeAvailability } from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { asSentence } from '../http/errors';
import { ButtonLink } from '../layout/links';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { dateAndTime, minutesText, moment } from '../time/zoned';
import { Badge } from '../ui/badge';
import { Card, Surface } from '../ui/card';
import { TextField } from '../ui/field';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Table } from '../ui/table';
import { Muted } from '../ui/text';
import { availabilityQuery } from './queries';
import { WithConnection } from './with-connection';
import { minuteText } from './wording';

export function Component() {
  const { businessId, chosen } = useBusinessHere();
  const credentials = chosen
    ? paths.adminProviderCredentials(businessId)
    : paths.providerCredentials(businessId);
  const mapping = chosen
    ? `${paths.adminProviderSync}?business=${businessId}`
    : paths.providerSync(businessId);
  return (
    <Page
      title="Availability compared"
      lead="When each employee is free in the book and in the booking system, and where the two differ."
    >
      <ChosenBusiness>
        <WithConnection businessId={businessId} credentials={credentials}>
          {({ id }) => <Availability key={id} businessId={businessId} connectionId={id} mapping={mapping} />}
        </WithConnection>
      </ChosenBusiness>
    </Page>
  );
}

type AvailabilityProps = {
  businessId: string;
  connectionId: string;
  /** Where employees are mapped. */
  mapping: string;
};

function Availability({ businessId, connectionId, mapping }: AvailabilityProps) {
  const [search, changeSearch] = useSearch();
  const date = search.get('date') ?? '';
  const query = useQuery(availabilityQuery(businessId, connectionId, date));
  return (
    <Stack gap="5">
      <Box maxWidth="14rem">
        <TextField
          label="Day"
          type="date"
          value={date || (query.data?.date ?? '')}
          onChange={(event) => {
            const day = event.currentTarget.value;
            changeSearch(
              (search) => {
                if (day) search.set('date', day);
                else search.delete('date');
                return search;
              },
              { replace: true },
            );
          }}
        />
      </Box>
      <Reading
        query={query}
        what="The free time"
        framed
        skeleton={
          <Surface>
            <RowsSkeleton rows={4} label="Loading free time" />
          </Surface>
        }
      >
        {({ employees, asOf, timeZone }) => {
          const at = moment(asOf);
          if (employees.length === 0) {
            return (
              <Surface>
                <Empty
                  icon={CalendarRange}
                  title="No employee is mapped"
                  action={<ButtonLink to={mapping}>Map employees</ButtonLink>}
                >
                  Say first who each employee of the booking system is here.
                </Empty>
              </Surface>
            );
          }
          return (
            <Stack gap="5">
              {at && <Muted>As of {dateAndTime(at, timeZone)}.</Muted>}
              {employees.map((employee) => (
                <Employee key={employee.employeeId} employee={employee} />
              ))}
            </Stack>
          );
        }}
      </Reading>
    </Stack>
  );
}

function Employee({ employee }: { employee: EmployeeAvailability }) {
  const { employeeName, spans, differenceMinutes, fault } = employee;
  return (
    <Card
      title={employeeName}
      flush
      action={
        fault ? (
          <Badge tone="bad">Unknown there</Badge>
        ) : differenceMinutes === 0 ? (
          <Badge tone="good">The same on both sides</Badge>
        ) : (
          <Badge tone="warn">{minutesText(differenceMinutes)} differ</Badge>
        )
      }
    >
      {fault && (
        <Muted px={{ base: '4', sm: '6' }} py="3">
          {asSentence(fault)} What it has free is unknown, not taken.
        </Muted>
      )}
      {spans.length === 0 ? (
        <Muted px={{ base: '4', sm: '6' }} py="3">
          {fault ? 'Not free in the book.' : 'Not free on either side.'}
        </Muted>
      ) : (
        <Table label={`Free time of ${employeeName}`} wordy>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">In the book</th>
              <th scope="col">In the booking system</th>
            </tr>
          </thead>
          <tbody>
            {spans.map((span) => (
              <Span key={span.fromMinute} span={span} isKnownThere={fault === ''} />
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}

function Span({ span, isKnownThere }: { span: AvailabilitySpan; isKnownThere: boolean }) {
  const { fromMinute, toMinute, isFreeHere, isFreeThere } = span;
  return (
    <tr>
      <th scope="row">
        <Flex gap="2" align="center" wrap="wrap">
          {minuteText(fromMinute)} – {minuteText(toMinute)}
          {isKnownThere && isFreeHere !== isFreeThere && <Badge tone="warn">Differs</Badge>}
        </Flex>
      </th>
      <td>{isFreeHere ? 'Free' : 'Taken'}</td>
      <td>{isKnownThere ? (isFreeThere ? 'Free' : 'Taken') : 'Unknown'}</td>
    </tr>
  );
}
