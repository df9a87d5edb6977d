import { chakra } from '@chakra-ui/react';
import { PhoneCall } from 'lucide-react';
import { callerOf, isLive } from '../business/call-outcome';
import type { Call } from '../gen/frontdesk/telemetry/v1/call_pb';
import { LiveDot } from '../ui/badge';
import { Button } from '../ui/button';
import { useScarce } from '../ui/use-width';
import { useMatched } from './use-caller';
import { CALLS_BUTTON, countText, useFolded, useOpenCalls } from './use-open-calls';

/** The calls that are not over, in the header of a screen with little room, where folded calls take no row of their own. */
export function CallsButton({ businessId }: { businessId: string }) {
  const open = useOpenCalls(businessId);
  const scarce = useScarce();
  const [first] = open;
  return scarce && first ? <Shown businessId={businessId} open={open} first={first} /> : null;
}

type ShownProps = { businessId: string; open: readonly Call[]; first: Call };

function Shown({ businessId, open, first }: ShownProps) {
  const [folded, setFolded] = useFolded();
  const [customer, ...others] = useMatched(businessId, first);
  const caller = customer && others.length === 0 ? customer.name : callerOf(first);
  const callers = open.map((call) => (call === first ? caller : callerOf(call)));
  // Those on the line come first.
  const live = isLive(first);
  return (
    <Button
      id={CALLS_BUTTON}
      aria-label={`${countText(open)}: ${callers.join(', ')}`}
      aria-expanded={!folded}
      variant="quiet"
      px="2.5"
      color={live ? 'good.fg' : 'fg.muted'}
      onClick={() => setFolded(!folded)}
    >
      {live && <LiveDot />}
      <PhoneCall size={18} aria-hidden />
      {open.length > 1 ? (
        open.length
      ) : (
        // On less, it would leave no room to say where one is.
        <chakra.span hideBelow="lg" maxWidth="9rem" truncate>
          {caller}
        </chakra.span>
      )}
    </Button>
  );
}
