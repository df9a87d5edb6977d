import { chakra, Flex, Grid, Stack } from '@chakra-ui/react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Bot, Phone } from 'lucide-react';
import { callerOf, isLive, lengthOf, numberOf, silenceText } from '../business/call-outcome';
import { servicesOf } from '../day/naming';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Call } from '../gen/frontdesk/telemetry/v1/call_pb';
import { ButtonLink } from '../layout/links';
import { VisitLink } from '../layout/visit-link';
import { paths } from '../paths';
import { clockText, dayName, moment, timeOfDay } from '../time/zoned';
import { LiveDot } from '../ui/badge';
import { Figures, Muted, ScreenReaderOnly, Text } from '../ui/text';
import { useNow } from '../ui/use-now';
import { BookForCaller, type CallBooking } from './call-booking';
import { Caller } from './caller';
import { doingText, nowDoing } from './now-doing';
import { callQuery } from './queries';
import { type Matched, useMatched, useVisitsOf } from './use-caller';

type CallLineProps = {
  businessId: string;
  call: Call;
  zone: string;
  onBook: (booking: CallBooking) => void;
};

/** A call that is not over: who the caller may be, what the agent does, the caller's last and next visits. */
export function CallLine({ businessId, call, zone, onBook }: CallLineProps) {
  const matched = useMatched(businessId, call);
  const live = isLive(call);
  const number = matched.length > 0 && call.fromNumber !== '' ? numberOf(call) : '';
  return (
    <Grid
      as="li"
      gridTemplateColumns={{
        base: 'minmax(0, 1fr) auto',
        lg: 'minmax(0, 5fr) minmax(0, 4fr) auto',
      }}
      // A phone has the caller's name beside the buttons, all else in whole words below.
      gridTemplateAreas={{
        base: '"caller buttons" "doing doing" "visits visits"',
        lg: '"caller visits buttons" "doing visits buttons"',
      }}
      columnGap="5"
      rowGap={{ base: '0.5', lg: '0' }}
      alignItems="center"
      py="1.5"
      _notFirst={{ borderTop: '1px solid', borderColor: 'line' }}
    >
      <Flex gridArea="caller" gap="2.5" align="center" minWidth="0">
        <chakra.span color={live ? 'good.fg' : 'fg.muted'} lineHeight="0">
          {live ? <LiveDot /> : <Phone size={16} aria-hidden />}
        </chakra.span>
        <Text fontWeight="650" lineClamp="1">
          <Caller businessId={businessId} call={call} matched={matched} />
        </Text>
        <Muted as="span" hideBelow="sm" fontSize="0.875rem" whiteSpace="nowrap">
          {number}
          {number && live && ' · '}
          {live && <Lasting call={call} />}
        </Muted>
      </Flex>
      <Flex gridArea="doing" gap="2.5" align="center" justify="space-between" minWidth="0">
        {live ? (
          <>
            <Doing businessId={businessId} call={call} />
            <Muted as="span" hideFrom="sm" fontSize="0.875rem">
              <Lasting call={call} />
            </Muted>
          </>
        ) : (
          <Muted>{silenceText(call, zone)}: it may be over</Muted>
        )}
      </Flex>
      <Stack gridArea="visits" gap="0" minWidth="0">
        {matched.map((customer) => (
          <VisitsOf
            key={customer.id}
            businessId={businessId}
            customer={customer}
            named={matched.length > 1}
            zone={zone}
          />
        ))}
      </Stack>
      <Flex gridArea="buttons" gap="2" wrap="wrap" justify="flex-end">
        <BookForCaller businessId={businessId} call={call} compact onPrepared={onBook} />
        <ButtonLink to={paths.call(businessId, call.id)}>
          Open
          <ScreenReaderOnly>the call with {callerOf(call)}</ScreenReaderOnly>
        </ButtonLink>
      </Flex>
    </Grid>
  );
}

function Lasting({ call }: { call: Call }) {
  const now = useNow(1000);
  return <Figures aria-hidden>{clockText(lengthOf(call, now))}</Figures>;
}

function Doing({ businessId, call }: { businessId: string; call: Call }) {
  const { data } = useQuery(callQuery(businessId, call.id));
  const doing = data && nowDoing(data.turns, data.toolCalls);
  return (
    <Flex gap="2" align="center" minWidth="0" color="fg.muted">
      <Bot size={16} aria-hidden />
      <Muted lineClamp="1">{doing ? doingText(doing) : 'The agent answers'}</Muted>
    </Flex>
  );
}

type VisitsOfProps = { businessId: string; customer: Matched; named: boolean; zone: string };

function VisitsOf({ businessId, customer, named, zone }: VisitsOfProps) {
  const { next, last } = useVisitsOf(businessId, customer.id);
  return (
    <Muted as="div" fontSize="0.875rem" lineClamp="3">
      {named && `${customer.name}: `}
      <Visit businessId={businessId} label="Next" query={next} zone={zone} />
      <chakra.span display={named ? undefined : { base: 'none', sm: 'inline', lg: 'none' }}>
        {' · '}
      </chakra.span>
      <chakra.span display={named ? undefined : { base: 'block', sm: 'inline', lg: 'block' }}>
        <Visit businessId={businessId} label="Last" query={last} zone={zone} />
      </chakra.span>
    </Muted>
  );
}

type VisitProps = {
  businessId: string;
  label: string;
  query: UseQueryResult<Appointment | null>;
  zone: string;
};

function Visit({ businessId, label, query, zone }: VisitProps) {
  const { data: appointment, error } = query;
  if (error && !appointment) return `${label}: can’t be shown`;
  if (appointment === undefined) return `${label}: …`;
  if (!appointment) return `${label}: none`;
  const at = moment(appointment.startsAt);
  return (
    <>
      {`${label}: `}
      <VisitLink businessId={businessId} appointmentId={appointment.id}>
        {at ? `${dayName(at, zone, new Date())}, ${timeOfDay(at, zone)}` : 'a visit'}
      </VisitLink>
      {`, ${servicesOf(appointment)}`}
    </>
  );
}
