import { Box, Grid, Stack } from '@chakra-ui/react';
import { useState } from 'react';
import { TextLink } from '../layout/links';
import { VisitLink } from '../layout/visit-link';
import { listedDayText } from '../time/day-text';
import { dayKey, timeOfDay } from '../time/zoned';
import { Button } from '../ui/button';
import { Figures, Muted } from '../ui/text';
import type { Stranded } from './stranded';
import { scheduleOn } from './use-team-paths';

/** As many as can be taken in at a glance. */
const FEW = 5;

type StrandedListProps = {
  businessId: string;
  employeeId: string;
  zone: string;
  /** What the list is of, for those who hear it. */
  label: string;
  stranded: readonly Stranded[];
};

/** Visits that a change of hours leaves without their employee, each with the way to where it can be moved. */
export function StrandedList({ businessId, employeeId, zone, label, stranded }: StrandedListProps) {
  const [all, setAll] = useState(false);
  const shown = all ? stranded : stranded.slice(0, FEW);
  return (
    // It stands in dialogs and halves of pages: how wide it is decides, not the window.
    <Stack gap="2" containerType="inline-size">
      <Stack
        as="ul"
        aria-label={label}
        gap="0"
        listStyleType="none"
        border="1px solid"
        borderColor="line"
        borderRadius="button"
        overflow="hidden"
      >
        {shown.map((one) => (
          <Box
            as="li"
            key={one.appointmentId}
            px="3.5"
            py="2"
            borderTop="1px solid"
            borderColor="line"
            _first={{ borderTop: 'none' }}
          >
            <Row businessId={businessId} employeeId={employeeId} zone={zone} stranded={one} />
          </Box>
        ))}
      </Stack>
      {shown.length < stranded.length && (
        <Button variant="quiet" alignSelf="flex-start" onClick={() => setAll(true)}>
          Show all {stranded.length}
        </Button>
      )}
    </Stack>
  );
}

type RowProps = Pick<StrandedListProps, 'businessId' | 'employeeId' | 'zone'> & { stranded: Stranded };

function Row({ businessId, employeeId, zone, stranded }: RowProps) {
  const { appointmentId, startsAt, customer, services } = stranded;
  const day = dayKey(startsAt, zone);
  return (
    <Grid
      columnGap="3"
      alignItems="baseline"
      fontSize="0.9375rem"
      gridTemplateColumns="minmax(0, 1fr) auto"
      gridTemplateAreas={'"when week" "who who"'}
      css={{
        '@container (min-width: 40rem)': {
          gridTemplateColumns: '12rem minmax(0, 1fr) auto',
          gridTemplateAreas: '"when who week"',
        },
      }}
    >
      <Figures gridArea="when" color="fg.muted">
        {listedDayText(day, dayKey(new Date(), zone))}, {timeOfDay(startsAt, zone)}
      </Figures>
      <Box gridArea="who" minWidth="0" overflowWrap="anywhere">
        <VisitLink
          businessId={businessId}
          appointmentId={appointmentId}
          display="inline-flex"
          alignItems="center"
          minHeight="7"
        >
          {customer}
        </VisitLink>
        {services && (
          <Muted as="span" fontSize="0.875rem">
            {' '}
            {services}
          </Muted>
        )}
      </Box>
      <TextLink
        gridArea="week"
        to={scheduleOn(businessId, day, employeeId)}
        display="inline-flex"
        alignItems="center"
        minHeight="7"
        fontSize="0.875rem"
        aria-label={`Show the week of ${customer}’s visit`}
      >
        Show the week
      </TextLink>
    </Grid>
  );
}
