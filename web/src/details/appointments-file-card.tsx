import { Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { fetchedAhead } from '../api/fetched-ahead';
import { ButtonLink } from '../layout/links';
import { paths } from '../paths';
import { dayKey } from '../time/zoned';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Muted } from '../ui/text';

const ExportAppointmentsDialog = fetchedAhead(() =>
  import('./export-appointments-dialog').then(({ ExportAppointmentsDialog }) => ExportAppointmentsDialog),
);

/** Appointments for systems that take nothing but files. */
export function AppointmentsFileCard({ businessId, zone }: { businessId: string; zone: string }) {
  const [exporting, setExporting] = useState(false);
  return (
    <Card title="Appointments as a file">
      <Muted>
        For systems that take nothing but files: save the appointments of some days as CSV, or book those of
        another system.
      </Muted>
      <Flex mt="4" gap="2" wrap="wrap">
        <Button onClick={() => setExporting(true)}>Export appointments</Button>
        <ButtonLink to={paths.appointmentImport(businessId)}>Import appointments</ButtonLink>
      </Flex>
      {exporting && (
        <ExportAppointmentsDialog
          businessId={businessId}
          today={dayKey(new Date(), zone)}
          onClose={() => setExporting(false)}
        />
      )}
    </Card>
  );
}
