import { Flex } from '@chakra-ui/react';
import { WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLiveStatus } from '../live/status';

/** Shorter interruptions are not shown. */
const PATIENCE_MS = 3000;

/** Says that the page no longer updates by itself, while that is so. */
export function ConnectionNote() {
  const status = useLiveStatus();
  const cut = status === 'waiting' || status === 'connecting';
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!cut) return setShown(false);
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [cut]);
  if (!cut || !shown) return null;
  return (
    <Flex
      role="status"
      align="center"
      gap="2"
      px="3"
      py="1"
      borderRadius="full"
      bg="warn.subtle"
      color="warn.fg"
      fontSize="0.875rem"
      fontWeight="550"
    >
      <WifiOff size={16} aria-hidden />
      Reconnecting…
    </Flex>
  );
}
