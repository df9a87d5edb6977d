import { intend } from '../api/action';
import { readOn } from '../api/read-on';
import { AppointmentExportService } from '../gen/frontdesk/scheduling/v1/appointment_export_pb';
import { saveTable } from '../ui/save-file';

/** From which day to which, in the business's zone. */
export type Days = { firstDate: string; lastDate: string };

/** Saves the appointments of some days as a table. It is noted. */
export async function saveAppointments(businessId: string, { firstDate, lastDate }: Days): Promise<void> {
  const { exportId } = await intend(AppointmentExportService.method.beginAppointmentExport, {
    businessId,
    firstDate,
    lastDate,
  });
  const parts: string[] = [];
  let pageToken = '';
  do {
    const part = await readOn(AppointmentExportService.method.readAppointmentExport, {
      businessId,
      exportId,
      pageToken,
    });
    parts.push(part.csv);
    pageToken = part.nextPageToken;
  } while (pageToken);
  saveTable(`appointments-${firstDate}-${lastDate}.csv`, parts.join(''));
}
