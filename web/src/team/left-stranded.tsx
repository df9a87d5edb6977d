import { Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { strandedOfEmployeeQuery } from '../appointments/queries';
import { Card } from '../ui/card';
import { Note } from '../ui/states';
import { Muted } from '../ui/text';
import { NotRead } from './not-read';
import { strandedOf, visitsAre } from './stranded';
import { StrandedList } from './stranded-list';
import type { EmployeeHours } from './use-employee-hours';

type LeftStrandedProps = { businessId: string; zone: string; employee: EmployeeHours };

/** Visits of an employee outside their working time, until they are settled. */
export function LeftStranded({ businessId, zone, employee }: LeftStrandedProps) {
  const query = useQuery(strandedOfEmployeeQuery(businessId, employee.id));
  const stranded = query.data?.stranded.flatMap(strandedOf);
  if (query.error) return <NotRead what="Whether visits stand outside these hours" query={query} />;
  if (!stranded?.length) {
    return (
      <Muted role="status">
        {stranded
          ? 'No visit outside these hours needs settling.'
          : 'Looking for visits outside these hours…'}
      </Muted>
    );
  }
  return (
    <Card title="To be moved">
      <Stack gap="3">
        <Note tone="warn" icon={TriangleAlert}>
          {visitsAre(query.data?.total ?? stranded.length)} booked while {employee.name} is not at work. Each
          stays in the inbox until it is settled.
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
