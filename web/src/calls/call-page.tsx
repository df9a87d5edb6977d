import { chakra, Flex, Grid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import { may } from '../api/access';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { AppointmentReference } from '../appointments/reference';
import { actorName } from '../business/actor-name';
import {
  callerOf,
  hasLength,
  isLive,
  lengthOf,
  numberOf,
  OutcomeBadge,
  READ_LIVE_AGAIN_MS,
  whyHidden,
} from '../business/call-outcome';
import { PhoneOf } from '../business/contact-fact';
import { meQuery, useBusinessRole } from '../business/queries';
import { useEmployeesOnRecord } from '../business/use-employees';
import { useZone } from '../business/use-zone';
import { AgentChatAccess } from '../gen/access';
import {
  type Call,
  CallState,
  type GetCallResponse,
  MissedReason,
  type ToolCall,
} from '../gen/frontdesk/telemetry/v1/call_pb';
import { TextLink } from '../layout/links';
import { NotFound } from '../layout/not-found';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { PageSkeleton } from '../layout/skeletons';
import { isId, paths } from '../paths';
import { agentSpeaks } from '../runtime';
import { ZoneNote } from '../time/zone-note';
import { clockText, dayName, moment, timeOfDay } from '../time/zoned';
import { Card } from '../ui/card';
import { Fact, Facts } from '../ui/facts';
import { phoneText } from '../ui/phone';
import { Figures, Text } from '../ui/text';
import { useNow } from '../ui/use-now';
import { BookForCaller, type CallBooking, CallBookingDialog } from './call-booking';
import { CallFollowUps } from './call-follow-ups';
import { CallNotes } from './call-notes';
import { Caller } from './caller';
import { Conversation } from './conversation';
import { REASON_TEXT } from './filter';
import { platformText } from './platform';
import { callQuery } from './queries';
import { RecordingCard } from './recording';
import { TakeOverCard } from './take-over';
import { TeamVisit } from './team-visit';
import { isRunning, latencyText } from './timeline';
import { useMatched } from './use-caller';
import { usePlayback } from './use-playback';

export function loader({ params: { businessId = '', callId } }: LoaderFunctionArgs) {
  return isId(callId) ? warm(() => [queries.prefetchQuery(callQuery(businessId, callId))]) : null;
}

export function Component() {
  const { businessId = '', callId } = useParams();
  return isId(callId) ? <Detail businessId={businessId} callId={callId} /> : <NotFound />;
}

function Detail({ businessId, callId }: { businessId: string; callId: string }) {
  const query = useQuery({
    ...callQuery(businessId, callId),
    refetchInterval: ({ state }) => hasNotEnded(state.data?.call) && READ_LIVE_AGAIN_MS,
  });
  return (
    <Reading
      query={query}
      what="This call"
      framed
      missingIsPage
      page
      skeleton={<PageSkeleton kind="businessDetail" />}
    >
      {(answer) => answer.call && <Content businessId={businessId} call={answer.call} answer={answer} />}
    </Reading>
  );
}

const hasNotEnded = (call?: Call) => call !== undefined && call.state !== CallState.ENDED;

function Content({ businessId, call, answer }: { businessId: string; call: Call; answer: GetCallResponse }) {
  const zone = useZone(businessId);
  const caller = callerOf(call);
  const [booking, setBooking] = useState<CallBooking | null>(null);
  const playback = usePlayback();
  return (
    <Page
      title={caller}
      tab={`Call with ${caller}`}
      lead={<Lead call={call} zone={zone} />}
      action={<BookForCaller businessId={businessId} call={call} onPrepared={setBooking} />}
    >
      <Grid
        gap="6"
        alignItems="start"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 2fr) minmax(0, 1fr)' }}
        gridTemplateRows={{ lg: 'auto 1fr' }}
      >
        <Outcome businessId={businessId} call={call} />
        <Stack gap="6" gridColumn={{ lg: '1' }} gridRow={{ lg: '1 / span 2' }} minWidth="0">
          {!isLive(call) && (
            <RecordingCard
              businessId={businessId}
              callId={call.id}
              zone={zone}
              playback={playback}
              whyHidden={whyHidden(call)}
            />
          )}
          <Card title="Conversation" overflow="visible">
            <Conversation
              turns={answer.turns}
              tools={answer.toolCalls}
              live={isLive(call)}
              caller={call.customerName || 'Caller'}
              platform={call.platform}
              whyHidden={whyHidden(call)}
              playback={playback}
            />
          </Card>
        </Stack>
        <Stack gap="6">
          {isLive(call) && <TakeOverCard businessId={businessId} call={call} />}
          <Card title="Details">
            <Details businessId={businessId} call={call} tools={answer.toolCalls} />
          </Card>
          <CallFollowUps businessId={businessId} call={call} zone={zone} />
          <CallNotes businessId={businessId} callId={call.id} notes={answer.notes} zone={zone} />
        </Stack>
      </Grid>
      {booking && (
        <CallBookingDialog businessId={businessId} booking={booking} onClose={() => setBooking(null)} />
      )}
    </Page>
  );
}

function Lead({ call, zone }: { call: Call; zone: string }) {
  const started = moment(call.startedAt);
  return (
    <Flex gap="4" wrap="wrap" align="center">
      <span>
        {started && `${dayName(started, zone, new Date())} at ${timeOfDay(started, zone)}`}
        {hasLength(call) && ' · '}
        {isLive(call) ? (
          <Running call={call} />
        ) : (
          hasLength(call) && <Figures>{clockText(lengthOf(call, new Date()))}</Figures>
        )}
      </span>
      <OutcomeBadge call={call} zone={zone} />
      <ZoneNote zone={zone} />
    </Flex>
  );
}

function Running({ call }: { call: Call }) {
  const now = useNow(1000);
  return <Figures aria-hidden>{clockText(lengthOf(call, now))}</Figures>;
}

/** The call's summary, the appointments that the agent changed in it, and those that people booked from it. */
function Outcome({ businessId, call }: { businessId: string; call: Call }) {
  const { summary, teamAppointmentIds } = call;
  const agents = call.appointmentIds.filter((id) => !teamAppointmentIds.includes(id));
  if (!summary && agents.length === 0 && teamAppointmentIds.length === 0) return null;
  return (
    <Card title="Outcome">
      <Stack gap="4">
        {summary && <Text>{summary}</Text>}
        {agents.map((appointmentId) => (
          <AppointmentReference key={appointmentId} businessId={businessId} appointmentId={appointmentId} />
        ))}
        {teamAppointmentIds.map((appointmentId) => (
          <TeamVisit key={appointmentId} businessId={businessId} call={call} appointmentId={appointmentId} />
        ))}
      </Stack>
    </Card>
  );
}

type DetailsProps = { businessId: string; call: Call; tools: ToolCall[] };

function Details({ businessId, call, tools }: DetailsProps) {
  const matched = useMatched(businessId, call);
  const role = useBusinessRole(businessId);
  const triesAgent = role.kind === 'member' && may(AgentChatAccess.startAgentChat, role.role);
  const done = tools.filter((tool) => !isRunning(tool));
  const slowest = Math.max(0, ...done.map((tool) => tool.latencyMs));
  return (
    <Facts>
      <Fact name="Caller">
        <PhoneOf
          phone={call.fromNumber}
          hidden={call.contactHidden}
          none={numberOf(call)}
          why={whyHidden(call)}
        />
      </Fact>
      <Fact name="Customer">
        {matched.length > 0 ? (
          <>
            {!call.customerId && 'By the number: '}
            <Caller businessId={businessId} call={call} matched={matched} />
          </>
        ) : (
          'Not recognised'
        )}
      </Fact>
      {call.toNumber && <Fact name="Called number">{phoneText(call.toNumber)}</Fact>}
      {call.transferredTo && <Fact name="Put through to">{phoneText(call.transferredTo)}</Fact>}
      {call.takenOverBy && (
        <Fact name="Taken over by">
          <TakenOver businessId={businessId} call={call} />
        </Fact>
      )}
      {done.length > 0 && (
        <Fact name="Agent’s look-ups">
          {done.length}, the slowest in <chakra.span whiteSpace="nowrap">{latencyText(slowest)}</chakra.span>
        </Fact>
      )}
      {call.platform && <Fact name="Phone platform">{platformText(call.platform)}</Fact>}
      {call.missedReason !== MissedReason.UNSPECIFIED && (
        <Fact name="Why there was no booking">{REASON_TEXT[call.missedReason]}</Fact>
      )}
      {call.failedToolCount > 0 && <Fact name="Look-ups that failed">{call.failedToolCount}</Fact>}
      {call.agentVersion > 0 && <Fact name="Agent version">{call.agentVersion}</Fact>}
      {triesAgent && agentSpeaks() && !isLive(call) && (
        <Fact name="Replay">
          <TextLink to={paths.agentReplay(businessId, call.id)}>
            Replay it with the draft of the agent
          </TextLink>
        </Fact>
      )}
    </Facts>
  );
}

/** Who had the caller put through, and when. */
function TakenOver({ businessId, call }: { businessId: string; call: Call }) {
  const me = useQuery(meQuery()).data?.id ?? '';
  const employees = useEmployeesOnRecord(businessId);
  const zone = useZone(businessId);
  const at = moment(call.takenOverAt);
  return (
    <>
      {actorName(call.takenOverBy, employees, me)}
      {at && ` at ${timeOfDay(at, zone)}`}
    </>
  );
}
