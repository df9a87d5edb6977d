import { Box, Stack } from '@chakra-ui/react';
import { TriangleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { listedText } from '../business/listed';
import type { Stranded } from '../team/stranded';
import { StrandedList } from '../team/stranded-list';
import { Note } from '../ui/states';

const LABEL = 'Visits that customers could not cancel any more';

type CutShortStepProps = { businessId: string; zone: string; visits: readonly Stranded[] };

/** The visits whose customers would lose the time to cancel. Takes the focus, so that a second Enter does not save. */
export function CutShortStep({ businessId, zone, visits }: CutShortStepProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    frame.current?.focus();
    frame.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <Box ref={frame} tabIndex={-1} outline="none" role="group" aria-label={LABEL}>
      <Stack gap="2">
        <Note tone="warn" icon={TriangleAlert} role="alert">
          The customers of {listedText(visits.length, 'visit', 'visits')} can cancel now and could not any
          more. Nothing is saved yet, and the team can still cancel.
        </Note>
        <StrandedList businessId={businessId} employeeId="" zone={zone} label={LABEL} stranded={visits} />
      </Stack>
    </Box>
  );
}
