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
  const scarce = useScarce();
  const [first] = live;
  return scarce && first ? <Shown businessId={businessId} live={live} first={first} /> : null;
}

type ShownProps = { businessId: string; live: readonly Call[]; first: Call };

function Shown({ businessId, live, first }: ShownProps) {
  const [folded, setFolded] = useFolded();
  const [customer, ...others] = useMatched(businessId, first);
  const caller = customer && others.length === 0 ? customer.name : callerOf(first);
  const callers = live.map((call) => (call === first ? caller : callerOf(call)));
  return (
    <Button
      id={CALLS_BUTTON}
      aria-label={`${countText(live)}: ${callers.join(', ')}`}
      aria-expanded={!folded}
      variant="quiet"
      px="2.5"
      color="good.fg"
      onClick={() => setFolded(!folded)}
    >
      <LiveDot />
      <PhoneCall size={18} aria-hidden />
      {live.length > 1 ? (
        live.length
      ) : (
        // On less, it would leave no room to say where one is.
        <chakra.span hideBelow="lg" maxWidth="9rem" truncate>
          {caller}
        </chakra.span>
      )}
    </Button>
  );
}
