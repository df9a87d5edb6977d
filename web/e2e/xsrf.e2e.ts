import { AppointmentState } from '../src/gen/frontdesk/scheduling/v1/appointment_pb';
import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { freshPage } from './browser';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';
import { expect, test } from './test';
import { bookedVisit } from './visit';

test.describe('after a browser restart that lost the XSRF pair', () => {
  test('the session goes on and a change takes effect', async () => {
    const client = await RestClient.as(people.owner);
    const appointmentId = await bookedVisit(client);
    const page = await freshPage({ as: people.owner });
    await page.context().clearCookies({ name: 'XSRF-TOKEN' });
    await page.context().clearCookies({ name: '__Host-anon' });

    await page.goto(`/${WILLOW}/appointments/${appointmentId}`);
    await page.getByRole('button', { name: 'Cancel appointment' }).waitFor();
    await page.context().clearCookies({ name: 'XSRF-TOKEN' });
    await page.context().clearCookies({ name: '__Host-anon' });
    await page.getByRole('button', { name: 'Cancel appointment' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel appointment' }).click();
    await page.getByText(/^Cancelled: /).waitFor();
    await page.getByRole('main').getByText('Cancelled', { exact: true }).first().waitFor();

    const { appointment } = await client.call(AppointmentService.method.getAppointment, {
      businessId: WILLOW,
      appointmentId,
    });
    expect(appointment?.state).toBe(AppointmentState.CANCELLED);
  });
});
