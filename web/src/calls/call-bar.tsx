import { chakra, Flex, Stack } from '@chakra-ui/react';
import { ChevronDown, ChevronUp, PhoneCall } from 'lucide-react';
import { useId, useState } from 'react';
import { callerOf, isLive } from '../business/call-outcome';
import { useZone } from '../business/use-zone';
import type { Call } from '../gen/frontdesk/telemetry/v1/call_pb';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import { LiveDot } from '../ui/badge';
import { ScreenReaderOnly, Text } from '../ui/text';
import { useFooting } from '../ui/use-footing';
import { useScarce } from '../ui/use-width';
import { type CallBooking, CallBookingDialog } from './call-booking';
import { CallLine } from './call-line';
import { CALLS_BUTTON, countText, useFolded, useOpenCalls } from './use-open-calls';

/** More calls would cover the page. */
const SHOWN = 3;

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

/** The calls that are not over, at the foot of every page; renders nothing without any, or while the header has them. */
export function CallBar({ businessId }: { businessId: string }) {
  const open = useOpenCalls(businessId);
  const live = open.filter(isLive);
  const [folded, setFolded] = useFolded();
  const scarce = useScarce();
  const inHeader = scarce && folded;
  // Outlives its call, which may end meanwhile.
  const [booking, setBooking] = useState<CallBooking | null>(null);
  return (
    <>
      <ScreenReaderOnly role="status">
        {live.length > 0 && `On the line: ${live.map(callerOf).join(', ')}`}
      </ScreenReaderOnly>
      {open.length > 0 && !inHeader && (
        <Bar
          businessId={businessId}
          open={open}
          folded={folded}
          onFold={() => {
            setFolded(!folded);
            // The bar goes, and its button with it.
            if (scarce) document.getElementById(CALLS_BUTTON)?.focus();
          }}
          onBook={setBooking}
        />
      )}
      {booking && (
        <CallBookingDialog businessId={businessId} booking={booking} onClose={() => setBooking(null)} />
      )}
    </>
  );
}

type BarProps = {
  businessId: string;
  open: Call[];
  folded: boolean;
  onFold: () => void;
  onBook: (booking: CallBooking) => void;
};

function Bar({ businessId, open, folded, onFold, onBook }: BarProps) {
  const zone = useZone(businessId);
  const id = useId();
  const bar = useFooting();
  const Icon = folded ? ChevronUp : ChevronDown;
  const live = open.some(isLive);
  return (
    <chakra.section
      ref={bar}
      aria-label={live ? 'Calls on the line' : 'Calls that may be over'}
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
            <Flex
              align="center"
              gap="2.5"
              color={live ? 'good.fg' : 'fg.muted'}
              fontWeight="600"
              fontSize="0.9375rem"
            >
              {live && <LiveDot />}
              <PhoneCall size={16} aria-hidden />
              {countText(open)}
            </Flex>
          ) : (
            <>
              <Stack as="ul" gap="0" listStyleType="none">
                {open.slice(0, SHOWN).map((call) => (
                  <CallLine key={call.id} businessId={businessId} call={call} zone={zone} onBook={onBook} />
                ))}
              </Stack>
              {open.length > SHOWN && (
                <Text py="1">
                  <TextLink to={paths.calls(businessId)}>And {countText(open.slice(SHOWN))}</TextLink>
                </Text>
              )}
            </>
          )}
        </Stack>
        <Fold
          type="button"
          aria-label={folded ? (live ? 'Show who is on the line' : 'Show the calls') : 'Fold the calls'}
          aria-expanded={!folded}
          aria-controls={id}
          // Level with the first call's button.
          mt={folded ? '0' : { base: '1.5', lg: '0' }}
          onClick={onFold}
        >
          <Icon size={20} aria-hidden />
        </Fold>
      </Flex>
    </chakra.section>
  );
}
