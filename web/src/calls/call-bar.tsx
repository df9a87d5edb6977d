import { chakra, Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, PhoneCall } from 'lucide-react';
import { useId, useState } from 'react';
import { useLocation } from 'react-router';
import { callerOf, isLive } from '../business/call-outcome';
import { useZone } from '../business/use-zone';
import type { Call } from '../gen/frontdesk/telemetry/v1/call_pb';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import { LiveDot } from '../ui/badge';
import { ScreenReaderOnly, Text } from '../ui/text';
import { useFooting } from '../ui/use-footing';
import { type CallBooking, CallBookingDialog } from './call-booking';
import { CallLine } from './call-line';
import { recentCallsQuery } from './queries';

/** More calls would cover the page. */
const SHOWN = 3;
/** The live socket reports calls; polling covers a socket that can't connect, so that ended calls go away. */
const READ_AGAIN_MS = 30_000;

const Fold = chakra('button', {
  base: {
    flexShrink: '0',
    display: 'grid',
    placeItems: 'center',
    width: '11',
    height: '11',
    borderRadius: 'button',
    color: 'fg.muted',
    cursor: 'pointer',
    _hover: { bg: 'bg.hover', color: 'fg' },
  },
});

/** The live calls, on every page; renders nothing without any. */
export function CallBar({ businessId }: { businessId: string }) {
  const { data } = useQuery({
    ...recentCallsQuery(businessId),
    refetchInterval: ({ state }) => (state.data?.calls.some(isLive) ? READ_AGAIN_MS : false),
  });
  const { pathname } = useLocation();
  // The call's own page shows all of it.
  const live = (data?.calls ?? []).filter(
    (call) => isLive(call) && pathname !== paths.call(businessId, call.id),
  );
  // Outlives its call, which may end meanwhile.
  const [booking, setBooking] = useState<CallBooking | null>(null);
  return (
    <>
      <ScreenReaderOnly role="status">
        {live.length > 0 && `On the line: ${live.map(callerOf).join(', ')}`}
      </ScreenReaderOnly>
      {live.length > 0 && <Bar businessId={businessId} live={live} onBook={setBooking} />}
      {booking && (
        <CallBookingDialog businessId={businessId} booking={booking} onClose={() => setBooking(null)} />
      )}
    </>
  );
}

type BarProps = { businessId: string; live: Call[]; onBook: (booking: CallBooking) => void };

function Bar({ businessId, live, onBook }: BarProps) {
  const [folded, setFolded] = useFolded();
  const zone = useZone(businessId);
  const id = useId();
  const bar = useFooting();
  const count = live.length === 1 ? '1 call on the line' : `${live.length} calls on the line`;
  const Icon = folded ? ChevronUp : ChevronDown;
  return (
    <chakra.section
      ref={bar}
      aria-label="Calls on the line"
      position="sticky"
      bottom={{ base: 'calc(61px + env(safe-area-inset-bottom))', md: '0' }}
      zIndex="bar"
      bg="bg.card"
      borderTop="1px solid"
      borderColor="line.strong"
      boxShadow="float"
    >
      <Flex
        gap="3"
        align={{ base: 'flex-start', lg: 'center' }}
        width="100%"
        maxWidth="1280px"
        mx="auto"
        px={{ base: '4', md: '8' }}
        py={folded ? '0' : '1.5'}
      >
        <Stack id={id} flex="1" minWidth="0" gap="0" minHeight="11" justify="center">
          {folded ? (
            <Flex align="center" gap="2.5" color="good.fg" fontWeight="600" fontSize="0.9375rem">
              <LiveDot />
              <PhoneCall size={16} aria-hidden />
              {count}
            </Flex>
          ) : (
            <>
              <Stack as="ul" gap="0" listStyleType="none">
                {live.slice(0, SHOWN).map((call) => (
                  <CallLine key={call.id} businessId={businessId} call={call} zone={zone} onBook={onBook} />
                ))}
              </Stack>
              {live.length > SHOWN && (
                <Text py="1">
                  <TextLink to={paths.calls(businessId)}>{live.length - SHOWN} more on the line</TextLink>
                </Text>
              )}
            </>
          )}
        </Stack>
        <Fold
          type="button"
          aria-label={folded ? 'Show who is on the line' : 'Fold the calls'}
          aria-expanded={!folded}
          aria-controls={id}
          // Level with the first call's button.
          mt={folded ? '0' : { base: '1.5', lg: '0' }}
          onClick={() => setFolded(!folded)}
        >
          <Icon size={20} aria-hidden />
        </Fold>
      </Flex>
    </chakra.section>
  );
}

let foldedInThisTab = false;

/** A folded bar stays folded, for the next call as well, until the user unfolds it. */
function useFolded(): [boolean, (folded: boolean) => void] {
  const [folded, setFolded] = useState(foldedInThisTab);
  return [
    folded,
    (next) => {
      foldedInThisTab = next;
      setFolded(next);
    },
  ];
}
