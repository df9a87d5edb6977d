import { Stack } from '@chakra-ui/react';
import { TriangleAlert } from 'lucide-react';
import { Card } from '../ui/card';
import { Note } from '../ui/states';
import { type Stranded, visitsAre } from './stranded';
import { StrandedList } from './stranded-list';

type LeftStrandedProps = {
  businessId: string;
  employeeId: string;
  zone: string;
  stranded: readonly Stranded[];
};

/** What a change left behind, until it is settled. */
export function LeftStranded({ businessId, employeeId, zone, stranded }: LeftStrandedProps) {
  if (stranded.length === 0) return null;
  return (
    <Card title="To be moved">
      <Stack gap="3">
        <Note tone="warn" icon={TriangleAlert}>
          {visitsAre(stranded.length)} outside these hours. The change is saved, and nobody was moved.
        </Note>
        <StrandedList
          businessId={businessId}
          employeeId={employeeId}
          zone={zone}
          label="Visits to be moved"
          stranded={stranded}
        />
      </Stack>
    </Card>
  );
}
