import { chakra } from '@chakra-ui/react';
import { PhoneCall } from 'lucide-react';
import { callerOf } from '../business/call-outcome';
import type { Call } from '../gen/frontdesk/telemetry/v1/call_pb';
import { LiveDot } from '../ui/badge';
import { Button } from '../ui/button';
import { useScarce } from '../ui/use-width';
import { useMatched } from './use-caller';
import { CALLS_BUTTON, countText, useFolded, useLiveCalls } from './use-live-calls';

/** The live calls in the header of a screen with little room, where folded calls take no row of their own. */
export function CallsButton({ businessId }: { businessId: string }) {
  const live = useLiveCalls(businessId);
  const [folded, setFolded] = useFolded();
  const scarce = useScarce();
  const [first] = live;
  if (!scarce || !first) return null;
  return (
    <Button
      id={CALLS_BUTTON}
      aria-label={`${countText(live)}: ${live.map(callerOf).join(', ')}`}
      aria-expanded={!folded}
      variant="quiet"
      px="2.5"
      color="good.fg"
      onClick={() => setFolded(!folded)}
    >
      <LiveDot />
      <PhoneCall size={18} aria-hidden />
      {live.length > 1 ? live.length : <OneCaller businessId={businessId} call={first} />}
    </Button>
  );
}

function OneCaller({ businessId, call }: { businessId: string; call: Call }) {
  const matched = useMatched(businessId, call);
  const [customer] = matched;
  return (
    <chakra.span hideBelow="md" maxWidth="9rem" truncate>
      {matched.length === 1 && customer ? customer.name : callerOf(call)}
    </chakra.span>
  );
}
