import { Stack } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { PhoneForwarded } from 'lucide-react';
import { may } from '../api/access';
import { useAction } from '../api/action';
import { callerOf } from '../business/call-outcome';
import { useBusinessRole } from '../business/queries';
import { AgentSettingsAccess, CallAccess } from '../gen/access';
import {
  type Call,
  CallService,
  type GetTakeOverResponse,
  TakeOverHindrance,
} from '../gen/frontdesk/telemetry/v1/call_pb';
import { ApiError, messageOf } from '../http/errors';
import { TextLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { phoneText } from '../ui/phone';
import { Refusal } from '../ui/states';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { platformText } from './platform';
import { callQuery, takeOverQuery } from './queries';

type TakeOverProps = { businessId: string; call: Call };

/** Has the caller of a live call put through to the team, or says why that can't be. */
export function TakeOverCard({ businessId, call }: TakeOverProps) {
  const role = useBusinessRole(businessId);
  const mayTake = role.kind === 'member' && may(CallAccess.takeOverCall, role.role);
  const query = useQuery({ ...takeOverQuery(businessId, call.id), enabled: mayTake });
  if (!mayTake) return null;
  return (
    <Reading query={query} what="Whether you can take the call over" framed skeleton={null}>
      {(found) => (
        <Card title="Take over">
          <State businessId={businessId} call={call} found={found} />
        </Card>
      )}
    </Reading>
  );
}

function State({ businessId, call, found }: TakeOverProps & { found: GetTakeOverResponse }) {
  const { act, running, error } = useTakingOver(businessId, call);
  const { hindrance, phone } = found;
  const offered = hindrance === TakeOverHindrance.UNSPECIFIED;
  // A hindrance that refused it is what the card says once it is read again.
  const said = !offered && error instanceof ApiError && error.reason === 'WRONG_STATE';
  return (
    <Stack gap="3" align="flex-start">
      {offered ? (
        <Text>{phoneText(phone)} rings, and the agent says no more.</Text>
      ) : (
        <Hindered businessId={businessId} call={call} hindrance={hindrance} />
      )}
      <Refusal>{error && !said ? messageOf(error, 'The call could not be taken over.') : null}</Refusal>
      {offered && (
        <Button loading={running} onClick={() => act({ businessId, callId: call.id })}>
          {!running && <PhoneForwarded size={18} aria-hidden />}
          Take the call over<ScreenReaderOnly> from the agent</ScreenReaderOnly>
        </Button>
      )}
    </Stack>
  );
}

function useTakingOver(businessId: string, call: Call) {
  const queries = useQueryClient();
  const refresh = () => {
    for (const query of [callQuery, takeOverQuery])
      void queries.invalidateQueries({ queryKey: query(businessId, call.id).queryKey });
  };
  return useAction(CallService.method.takeOverCall, {
    onDone: (taken) => {
      toasts.show('good', `Putting ${callerOf(call)} through to ${phoneText(taken.phone)}. Answer there.`);
      refresh();
    },
    onRefused: refresh,
  });
}

function Hindered({ businessId, call, hindrance }: TakeOverProps & { hindrance: TakeOverHindrance }) {
  switch (hindrance) {
    case TakeOverHindrance.UNDER_WAY:
      return <Text role="status">The caller is being put through.</Text>;
    case TakeOverHindrance.NO_NUMBER:
      return <NoNumber businessId={businessId} />;
    case TakeOverHindrance.NO_API_KEY:
      return <Muted>Not from here: the line has no key for {platformText(call.platform)}’s API.</Muted>;
    case TakeOverHindrance.PLATFORM:
      return <Muted>{platformText(call.platform)} can’t put a live call through to someone else.</Muted>;
    default:
      return <Muted>The call has ended.</Muted>;
  }
}

function NoNumber({ businessId }: { businessId: string }) {
  const role = useBusinessRole(businessId);
  const setsUp = role.kind === 'member' && may(AgentSettingsAccess.saveAgentDraft, role.role);
  return (
    <Muted>
      The agent has no number to pass callers on to.{' '}
      {setsUp ? (
        <>
          <TextLink to={paths.agent(businessId)}>Enter one in the agent’s settings</TextLink>, and publish it.
        </>
      ) : (
        'An owner can enter one in the agent’s settings.'
      )}
    </Muted>
  );
}
