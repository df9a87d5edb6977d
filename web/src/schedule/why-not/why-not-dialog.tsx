import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Box, Flex, Grid, Stack } from '@chakra-ui/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import { may } from '../../api/access';
import { rpcQuery } from '../../api/query';
import { ServiceOptions } from '../../booking/service-options';
import { AsOf, Doubts } from '../../business/freshness-note';
import type { Person } from '../../day/columns';
import type { Catalogue } from '../../day/visit-cards';
import { DependencyAccess, ResourceAccess } from '../../gen/access';
import {
  AvailabilityService,
  type ExplainAvailabilityResponse,
} from '../../gen/frontdesk/scheduling/v1/availability_pb';
import { TextLink } from '../../layout/links';
import { Reading } from '../../layout/reading';
import { VisitLink } from '../../layout/visit-link';
import { paths } from '../../paths';
import { inSentence } from '../../time/in-sentence';
import { clockOf, instantOf } from '../../time/local';
import { minuteOfClock } from '../../time/local-day';
import { dayName, moment, timeOfDay } from '../../time/zoned';
import { Button } from '../../ui/button';
import { DialogActions, FormDialog } from '../../ui/dialog';
import { TextField } from '../../ui/field';
import { SelectField } from '../../ui/select-field';
import { RowsSkeleton } from '../../ui/skeleton';
import { Note } from '../../ui/states';
import { H3, Muted, Text } from '../../ui/text';
import { type Considered, considered, type Reason, visitReasons } from './reasons';

/** A place on a day: when, and perhaps with whom and for what. */
export type Place = { day: string; minute: number; employeeId: string; serviceId: string };

type WhyNotProps = {
  businessId: string;
  zone: string;
  role: string;
  employees: readonly Person[];
  catalogue: Catalogue;
  at: Place;
  onBook: ((place: Place) => void) | undefined;
  onSqueeze: ((place: Place) => void) | undefined;
  onOpenBlock: (blockId: string) => void;
  onClose: () => void;
};

const STEP_MINUTES = 5;

const explainQuery = (businessId: string, { serviceId, employeeId }: Place, start: Date) =>
  rpcQuery(AvailabilityService.method.explainAvailability, {
    businessId,
    items: [{ serviceId, employeeId }],
    startsAt: timestampFromDate(start),
    language: 'en',
  });

/** Why a time is not free: every obstacle, with a link to its record. */
export function WhyNotDialog(props: WhyNotProps) {
  const { businessId, zone, employees, catalogue, at, onBook, onSqueeze, onClose } = props;
  const [serviceId, setServiceId] = useState(at.serviceId);
  const [employeeId, setEmployeeId] = useState(at.employeeId);
  const [clock, setClock] = useState(() => clockOf(at.minute));
  const minute = minuteOfClock(clock);
  const wrong =
    minute === undefined
      ? 'Enter a time.'
      : minute % STEP_MINUTES > 0
        ? 'Visits start on a multiple of five minutes.'
        : undefined;
  const place: Place = { day: at.day, minute: minute ?? 0, employeeId, serviceId };
  const start = instantOf(place.day, place.minute, zone);
  const answer = useQuery({
    ...explainQuery(businessId, place, start),
    enabled: serviceId !== '' && !wrong,
    // The answer may change at any moment.
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const services = [...catalogue.values()];
  return (
    <FormDialog title="Why not?" finds onSubmit={() => undefined} onClose={onClose}>
      <Muted>{dayName(start, zone, new Date())}</Muted>
      <Grid gap="3" gridTemplateColumns={{ base: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) minmax(0, 1fr)' }}>
        <SelectField
          label="Service"
          value={serviceId}
          onChange={(event) => setServiceId(event.currentTarget.value)}
        >
          <option value="">Choose…</option>
          <ServiceOptions services={services} />
        </SelectField>
        <SelectField
          label="With"
          value={employeeId}
          onChange={(event) => setEmployeeId(event.currentTarget.value)}
        >
          <option value="">Anyone</option>
          {employees.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Start"
          type="time"
          step={STEP_MINUTES * 60}
          value={clock}
          error={wrong}
          onChange={(event) => setClock(event.currentTarget.value)}
        />
      </Grid>
      <Box aria-live="polite">
        {serviceId === '' ? (
          <Muted>Choose a service: each has its own length and needs.</Muted>
        ) : (
          !wrong && (
            <Reading query={answer} what="The answer" skeleton={<RowsSkeleton rows={2} label="Looking" />}>
              {(explained) => (
                <Stack gap="3">
                  <Answer {...props} place={place} answer={explained} />
                  <Doubts sources={explained.sources} zone={zone} />
                  <AsOf sources={explained.sources} zone={zone} />
                </Stack>
              )}
            </Reading>
          )
        )}
      </Box>
      <DialogActions>
        <Button onClick={onClose} minHeight="12">
          Close
        </Button>
        {onSqueeze && answer.data && !answer.data.offer && employeeId !== '' && (
          <Button minHeight="12" onClick={() => onSqueeze(place)}>
            Squeeze in…
          </Button>
        )}
        {onBook && answer.data?.offer && (
          <Button variant="contained" onClick={() => onBook(place)}>
            Book it
          </Button>
        )}
      </DialogActions>
    </FormDialog>
  );
}

type AnswerProps = WhyNotProps & { place: Place; answer: ExplainAvailabilityResponse };

function Answer(props: AnswerProps) {
  const { answer, zone } = props;
  const next = moment(answer.nextOffer?.startsAt);
  if (answer.offer) {
    return (
      <Note tone="good" icon={CircleCheck}>
        This time is free.
      </Note>
    );
  }
  return (
    <Stack gap="4">
      <Note tone="warn" icon={CircleX}>
        <Text fontWeight="600">This time can’t be booked.</Text>
        {next
          ? `The next free time is ${inSentence(dayName(next, zone, new Date()))}, ${timeOfDay(next, zone)}.`
          : 'Nothing is free within two weeks.'}
      </Note>
      <Reasons {...props} label="Reasons" reasons={visitReasons(answer)} />
      {considered(answer).map((one) => (
        <Stack key={`${one.kind}${one.id}`} gap="1">
          <H3>{one.name}</H3>
          {one.reasons.length > 0 ? (
            <Reasons {...props} label={`Reasons, ${one.name}`} of={one} reasons={one.reasons} />
          ) : (
            <Muted>Is free</Muted>
          )}
        </Stack>
      ))}
    </Stack>
  );
}

type ReasonsProps = AnswerProps & { label: string; of?: Considered; reasons: Reason[] };

function Reasons(props: ReasonsProps) {
  const { label, reasons } = props;
  if (reasons.length === 0) return null;
  return (
    <Stack as="ul" gap="1.5" listStyleType="none" aria-label={label}>
      {reasons.map((reason, index) => (
        <Flex as="li" key={index} gap="2" wrap="wrap" align="baseline">
          <Text>
            {reason.text}
            {reason.detail && `, ${reason.detail}`}
          </Text>
          <RecordLink {...props} reason={reason} />
        </Flex>
      ))}
    </Stack>
  );
}

/** The way to what stands behind a reason. */
function RecordLink(props: ReasonsProps & { reason: Reason }) {
  const { businessId, role, place, of, reason, onOpenBlock, onClose } = props;
  const { record, recordId } = reason;
  if (record === 'appointment' && recordId)
    return (
      <VisitLink businessId={businessId} appointmentId={recordId}>
        See the visit
      </VisitLink>
    );
  if (record === 'block' && recordId) {
    return (
      <Button variant="quiet" minHeight="8" px="1.5" color="link" onClick={() => onOpenBlock(recordId)}>
        See the block
      </Button>
    );
  }
  if (record === 'hours' && of)
    return (
      <TextLink
        to={`?${new URLSearchParams({ date: place.day, employee: of.id })}`}
        aria-label={`See the week of ${of.name}`}
        onClick={onClose}
      >
        See the week
      </TextLink>
    );
  if (record === 'rule' && may(DependencyAccess.listDependencies, role))
    return <TextLink to={paths.dependencies(businessId)}>See the rules</TextLink>;
  if (record === 'skill') return <TextLink to={paths.services(businessId)}>See who does it</TextLink>;
  if (record === 'resources' && may(ResourceAccess.listResources, role))
    return <TextLink to={paths.resources(businessId)}>See what there is</TextLink>;
  return null;
}
