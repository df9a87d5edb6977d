import { Box, Stack } from '@chakra-ui/react';
import { TriangleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { listedText } from '../business/listed';
import { Note } from '../ui/states';
import type { Stranded } from './stranded';
import { StrandedList } from './stranded-list';

type StrandedStepProps = {
  businessId: string;
  /** Empty where they are of several people. */
  employeeId: string;
  zone: string;
  stranded: readonly Stranded[];
};

/** The visits that a change would leave outside working time. Takes the focus, so that a second Enter does not save. */
export function StrandedStep({ businessId, employeeId, zone, stranded }: StrandedStepProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    frame.current?.focus();
    frame.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <Box ref={frame} tabIndex={-1} outline="none" role="group" aria-label="Visits outside these hours">
      <Stack gap="2">
        <Note tone="warn" icon={TriangleAlert} role="alert">
          {listedText(stranded.length, 'visit', 'visits')} would be outside these hours. Nothing is saved yet,
          and saving does not move visits.
        </Note>
        <StrandedList
          businessId={businessId}
          employeeId={employeeId}
          zone={zone}
          label="Visits outside these hours"
          stranded={stranded}
        />
      </Stack>
    </Box>
  );
}
