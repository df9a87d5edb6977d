import { chakra } from '@chakra-ui/react';
import { Globe } from 'lucide-react';
import { viewerZone, zoneCity, zoneDiffers } from './zoned';

/** Says whose clock the times follow, when the viewer's shows another time. */
export function ZoneNote({ zone }: { zone: string | undefined }) {
  if (!zone || !zoneDiffers(zone, viewerZone(), new Date())) return null;
  return (
    <chakra.span display="inline-flex" alignItems="center" gap="1.5" color="fg.muted" fontSize="0.875rem">
      <Globe size={15} aria-hidden />
      Times in {zoneCity(zone)}
    </chakra.span>
  );
}
