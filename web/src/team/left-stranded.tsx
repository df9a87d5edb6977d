import { Stack } from '@chakra-ui/react';
import { TriangleAlert } from 'lucide-react';
import { Card } from '../ui/card';
import { Note } from '../ui/states';
import { Muted } from '../ui/text';
import { NotRead } from './not-read';
import { visitsAre } from './stranded';
import { StrandedList } from './stranded-list';
import type { EmployeeHours } from './use-employee-hours';
import { useLeftStranded } from './use-left-stranded';

type LeftStrandedProps = { businessId: string; zone: string; today: string; employee: EmployeeHours };

/** Visits of an employee outside their working time, until they are settled. */
export function LeftStranded({ businessId, zone, today, employee }: LeftStrandedProps) {
  const { stranded, failed } = useLeftStranded(businessId, zone, today, employee);
  if (failed) return <NotRead what="Whether visits stand outside these hours" query={failed} />;
  if (!stranded?.length) {
    return (
      <Muted role="status">
        {stranded ? 'No visit stands outside these hours.' : 'Looking for visits outside these hours…'}
      </Muted>
    );
  }
  return (
    <Card title="To be moved">
      <Stack gap="3">
        <Note tone="warn" icon={TriangleAlert}>
          {visitsAre(stranded.length)} booked while {employee.name} is not at work. Move or cancel each visit
          from its page.
        </Note>
        <StrandedList
          businessId={businessId}
          employeeId={employee.id}
          zone={zone}
          label="Visits to be moved"
          stranded={stranded}
        />
      </Stack>
    </Card>
  );
}
