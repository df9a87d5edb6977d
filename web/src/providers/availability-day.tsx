import { Box, Flex, Stack } from '@chakra-ui/react';
import { CircleAlert, CircleCheck, CloudOff } from 'lucide-react';
import { Fragment } from 'react';
import type { Span } from '../day/spans';
import type {
  CompareProviderAvailabilityResponse,
  EmployeeAvailability,
} from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { asSentence } from '../http/errors';
import { TextLink } from '../layout/links';
import { dateAndTime, minutesText, moment } from '../time/zoned';
import { Badge } from '../ui/badge';
import { Surface } from '../ui/card';
import { Note } from '../ui/states';
import { Figures, H3, Muted, ScreenReaderOnly, Text } from '../ui/text';
import { commonFault, differencesOf, freeText, shownHours, spanText, summaryText } from './availability';
import type { AvailabilityPaths } from './availability-page';
import { HourMarks, Legend, TRACK_STYLES, Track } from './availability-tracks';

type AvailabilityDayProps = {
  compared: CompareProviderAvailabilityResponse;
  system: string;
  to: AvailabilityPaths;
};

/** A day of all mapped employees: what is free here above what is free there. */
export function AvailabilityDay({ compared, system, to }: AvailabilityDayProps) {
  const { employees, asOf, timeZone } = compared;
  const shown = shownHours(employees);
  const fault = commonFault(employees);
  const differ = employees.some(({ differenceMinutes }) => differenceMinutes > 0);
  const at = moment(asOf);
  return (
    <Stack gap="5">
      {fault ? (
        <Note tone="bad" icon={CloudOff}>
          {system} could not be asked: {asSentence(fault)} What it has free is unknown, not taken. This page
          asks again by itself. <TextLink to={to.credentials}>Its connection and token</TextLink>
        </Note>
      ) : (
        <Note tone={differ ? 'warn' : 'good'} icon={differ ? CircleAlert : CircleCheck}>
          {summaryText(employees)}
          {differ && (
            <>
              {' '}
              Compare the working hours on both sides, and{' '}
              <TextLink to={to.consistency}>check whether every appointment is there</TextLink>.
            </>
          )}
        </Note>
      )}
      <Surface css={TRACK_STYLES} py="2">
        <Flex
          justify="space-between"
          gap="2"
          columnGap="5"
          wrap="wrap"
          px={{ base: '4', sm: '6' }}
          py="3"
          align="center"
        >
          <Legend />
          {at && <Muted fontSize="0.875rem">As of {dateAndTime(at, timeZone)}</Muted>}
        </Flex>
        <Box as="ul" listStyleType="none" aria-label="Employees">
          {employees.map((employee) => (
            <Employee
              key={employee.employeeId}
              employee={employee}
              shown={shown}
              system={system}
              isFaultSaid={fault !== ''}
            />
          ))}
        </Box>
      </Surface>
    </Stack>
  );
}

type EmployeeProps = {
  employee: EmployeeAvailability;
  shown: Span;
  system: string;
  /** Why the other side is unknown stands above all employees. */
  isFaultSaid: boolean;
};

function Employee({ employee, shown, system, isFaultSaid }: EmployeeProps) {
  const { employeeName, spans, differenceMinutes, fault } = employee;
  const different = differencesOf(spans);
  return (
    <Box as="li" px={{ base: '4', sm: '6' }} py="4" borderTop="1px solid" borderColor="line">
      <Flex gap="3" rowGap="1" align="center" wrap="wrap" mb="2.5">
        <H3>{employeeName}</H3>
        {fault ? (
          <Badge tone="bad">Unknown there</Badge>
        ) : differenceMinutes === 0 ? (
          <Badge tone="good">The same on both sides</Badge>
        ) : (
          <Badge tone="warn">Differs by {minutesText(differenceMinutes)}</Badge>
        )}
      </Flex>
      {fault && !isFaultSaid && (
        <Muted mb="2">{asSentence(fault)} What it has free is unknown, not taken.</Muted>
      )}
      {spans.length === 0 && !fault ? (
        <Muted>Not free that day on either side.</Muted>
      ) : (
        <>
          <Box aria-hidden className="tracks">
            <Track name="Book" side="book" employee={employee} shown={shown} />
            <Track name={system} side="system" employee={employee} shown={shown} />
            <HourMarks shown={shown} />
          </Box>
          <ScreenReaderOnly>
            Free in the book: {freeText(spans, 'book')}. Free in {system}:{' '}
            {fault ? 'unknown' : freeText(spans, 'system')}.
          </ScreenReaderOnly>
          {!fault && differenceMinutes > 0 && (
            <Stack gap="0" mt="2" fontSize="0.9375rem">
              <Only where="the book" spans={different.book} />
              <Only where={system} spans={different.system} />
            </Stack>
          )}
        </>
      )}
    </Box>
  );
}

function Only({ where, spans }: { where: string; spans: readonly Span[] }) {
  if (spans.length === 0) return null;
  return (
    <Text>
      Free only in {where}:
      {spans.map((span, index) => (
        <Fragment key={span.from}>
          {' '}
          <Figures whiteSpace="nowrap">
            {spanText(span)}
            {index < spans.length - 1 && ','}
          </Figures>
        </Fragment>
      ))}
    </Text>
  );
}
