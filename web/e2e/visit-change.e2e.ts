import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Page } from '@playwright/test';
import { AppointmentService } from '../src/gen/frontdesk/scheduling/v1/appointment_service_pb';
import { EmployeeWish } from '../src/gen/frontdesk/scheduling/v1/availability_pb';
import { CatalogueService } from '../src/gen/frontdesk/scheduling/v1/catalogue_pb';
import { Cadence, SeriesService } from '../src/gen/frontdesk/scheduling/v1/series_pb';
import { CustomerRecordService, PatchTestResult } from '../src/gen/frontdesk/tenancy/v1/customer_record_pb';
import { barriers } from './barriers';
import { MIA, NOAH, SERVICE, useOwnDay } from './own-day';
import { cardOf, customerNamed, toast } from './quiet-day';
import { clockOf, serviceNamed } from './salon';
import { WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const WEDNESDAY = 3;
/** Both Mia and Noah do it. */
const ADDED = 'Blow dry';
const day = useOwnDay(WEDNESDAY, 95);

async function visitOf(appointmentId: string) {
  const method = AppointmentService.method.getAppointment;
  const { appointment } = await day.client.call(method, { businessId: WILLOW, appointmentId });
  if (!appointment) throw new Error('There is no such visit.');
  return appointment;
}

/** Opens the form for what a visit is. */
async function changing(page: Page, name: string) {
  await cardOf(page, name).first().click();
  const drawer = page.getByRole('dialog', { name, exact: true });
  await drawer.getByRole('button', { name: 'Services, notes…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the visit' });
  await dialog.getByLabel('Service', { exact: true }).first().waitFor();
  return { drawer, dialog };
}

test('a service, notes and a wish are changed at the same time of day, told in the history, and taken back', async () => {
  const name = 'Cleo Changed';
  const id = await day.book(name, day.mia, '10:00');
  const page = await day.page();
  const { drawer, dialog } = await changing(page, name);
  await dialog.getByText('The time stays: ').waitFor();
  expect(await dialog.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect([colorScheme, await barriers(page)]).toEqual([colorScheme, []]);
  }
  await dialog.getByRole('button', { name: 'Add a service' }).click();
  await dialog.getByLabel('Service 2', { exact: true }).selectOption({ label: ADDED });
  await dialog.getByLabel('With 2', { exact: true }).selectOption({ label: MIA });
  await dialog.getByText(`Only ${MIA}`, { exact: true }).click();
  await dialog.getByLabel('Notes (optional)').fill('Allergic to nuts.');
  const offers = dialog.getByRole('list', { name: 'Free times' });
  await offers.getByRole('button').first().getByText('As asked').waitFor();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await toast(page)
    .getByText(/^Changed Cleo Changed: Men's cut, Blow dry, .*10:00 with Mia Larsen\.$/)
    .waitFor();
  await dialog.waitFor({ state: 'detached' });

  const now = await visitOf(id);
  expect(now.items.map(({ serviceName, employeeWish }) => [serviceName, employeeWish])).toEqual([
    [SERVICE, EmployeeWish.ONLY],
    [ADDED, EmployeeWish.ONLY],
  ]);
  expect(now.notes).toBe('Allergic to nuts.');
  const history = drawer.getByRole('list', { name: 'History' });
  for (const text of [`Added ${ADDED}`, `${SERVICE}: stylist only ${MIA}`, 'Changed the notes'])
    await history
      .getByRole('listitem')
      .filter({ hasText: text })
      .getByText(/· You$/)
      .waitFor();
  await drawer.getByText('Allergic to nuts.').waitFor();

  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await toast(page).getByText('The visit of Cleo Changed is as it was.').waitFor();
  const back = await visitOf(id);
  expect([back.items.length, back.notes, back.items[0]?.employeeWish]).toEqual([
    1,
    '',
    EmployeeWish.UNSPECIFIED,
  ]);
});

test('a length that does not fit says what is in the way, and the times that do fit are offered', async () => {
  const name = 'Lena Longer';
  const id = await day.book(name, day.mia, '13:00');
  const { endsAt } = await visitOf(id);
  const next = new Date(Number(endsAt?.seconds) * 1000);
  await day.book('Nora Next', day.mia, clockOf(next));
  const page = await day.page();
  const { dialog } = await changing(page, name);
  const length = dialog.getByLabel('Length', { exact: true });
  await length.selectOption('60');
  await dialog
    .getByText(/Mia( Larsen)? is with another customer until/)
    .first()
    .waitFor();
  expect(await dialog.getByRole('button', { name: /^Save/ }).isDisabled()).toBe(true);
  await dialog.getByRole('list', { name: 'Free times' }).getByRole('button').first().click();
  await toast(page)
    .getByText(/^Changed Lena Longer: Men's cut, .* with Mia Larsen\.$/)
    .waitFor();
  expect((await visitOf(id)).items[0]?.extraMinutes).toBe(60);
});

test('a guest joins, and the only stylist is left by consent alone', async () => {
  const name = 'Gwen Guests';
  const id = await day.book(name, day.mia, '16:00');
  const { changeAppointment } = AppointmentService.method;
  await day.client.call(changeAppointment, {
    businessId: WILLOW,
    appointmentId: id,
    items: [
      {
        serviceId: day.serviceId,
        employeeId: day.mia,
        employeeWish: EmployeeWish.ONLY,
        wishedEmployeeId: day.mia,
      },
    ],
  });
  const page = await day.page();
  const { drawer, dialog } = await changing(page, name);
  expect(await dialog.getByRole('radio', { name: `Only ${MIA}`, checked: true }).count()).toBe(1);
  await dialog.getByRole('button', { name: 'Add a guest' }).click();
  const guest = dialog.getByRole('group', { name: 'Guest 2' });
  await guest.getByLabel('With').selectOption({ label: NOAH });
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await toast(page)
    .getByText(/^Changed Gwen Guests: Men's cut, Men's cut, /)
    .waitFor();
  expect((await visitOf(id)).items.map(({ guest }) => guest)).toEqual([0, 1]);

  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  const again = await changing(page, name);
  await again.dialog.getByRole('button', { name: 'Remove guest 2' }).click();
  await again.dialog.getByLabel('With', { exact: true }).selectOption({ label: NOAH });
  await again.dialog.getByRole('button', { name: 'Save', exact: true }).click();
  const asking = page.getByRole('dialog', { name: `Move away from ${MIA}?` });
  await asking.getByRole('button', { name: 'The customer agreed' }).click();
  await toast(page)
    .getByText(/^Changed Gwen Guests: Men's cut, .* with Noah Adeyemi\.$/)
    .waitFor();
  const [item] = (await visitOf(id)).items;
  expect([item?.employeeName, item?.wishedEmployeeName]).toEqual([NOAH, MIA]);
});

test('a service is added to this and all following visits of a series, and taken back from all', async () => {
  const { bookSeries, cancelRestOfSeries, getSeries } = SeriesService.method;
  const answer = await day.client.call(bookSeries, {
    businessId: WILLOW,
    items: [{ serviceId: day.serviceId, employeeId: day.noah }],
    startsAt: timestampFromDate(day.at('14:00')),
    recurrence: { cadence: Cadence.WEEKLY, every: 1, count: 3 },
    customerId: await customerNamed(day.client, 'Sara Several'),
  });
  const seriesId = answer.series?.id ?? '';
  const fromAppointmentId = answer.series?.appointments[0]?.id ?? '';
  day.undo.push(() =>
    day.client.call(cancelRestOfSeries, { businessId: WILLOW, seriesId, fromAppointmentId }),
  );
  const lengths = async () => {
    const { series } = await day.client.call(getSeries, { businessId: WILLOW, seriesId });
    return series?.appointments.map(({ items }) => items.length);
  };
  const page = await day.page();
  const { dialog, drawer } = await changing(page, 'Sara Several');
  await dialog.getByRole('button', { name: 'Add a service' }).click();
  await dialog.getByLabel('Service 2', { exact: true }).selectOption({ label: ADDED });
  await dialog.getByLabel('With 2', { exact: true }).selectOption({ label: NOAH });
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  const asking = page.getByRole('dialog', { name: 'Change the series?' });
  await asking.getByText(/^This and all following: 3 visits, until /).click();
  await asking.getByRole('button', { name: 'Change', exact: true }).click();
  await toast(page).getByText('Changed 3 visits of Sara Several.').waitFor();
  expect(await lengths()).toEqual([2, 2, 2]);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await toast(page).getByText('The visits of Sara Several are as they were.').waitFor();
  await until(async () => expect(await lengths()).toEqual([1, 1, 1]));
});

test('a patch test that is missing is warned of, and the booking waits for a word', async () => {
  const { updateService } = CatalogueService.method;
  const service = await serviceNamed(day.client, ADDED);
  const saved = async (patchTest: string) => {
    const { id, $typeName, $unknown, ...now } = await serviceNamed(day.client, ADDED);
    await day.client.call(updateService, {
      businessId: WILLOW,
      serviceId: id,
      service: { ...now, patchTest },
    });
  };
  await saved('Beard dye');
  day.undo.push(() => saved(service.patchTest));
  const name = 'Petra Patch';
  const id = await day.book(name, day.noah, '20:00');
  const page = await day.page();
  const { dialog, drawer } = await changing(page, name);
  await dialog.getByRole('button', { name: 'Add a service' }).click();
  await dialog.getByLabel('Service 2', { exact: true }).selectOption({ label: ADDED });
  await dialog.getByLabel('With 2', { exact: true }).selectOption({ label: NOAH });
  const warning = dialog.getByRole('list', { name: 'Patch tests' });
  await warning.getByText('No patch test for Beard dye is on record.').waitFor();
  await dialog.getByRole('list', { name: 'Free times' }).getByRole('button').first().waitFor();
  const save = dialog.getByRole('button', { name: 'Save', exact: true });
  expect(await save.isDisabled()).toBe(true);
  await dialog.getByLabel('Add it without the test').check();
  await save.click();
  await toast(page)
    .getByText(/^Changed Petra Patch: /)
    .waitFor();
  // Whoever opens the visit sees it as well.
  await drawer.getByText('No patch test for Beard dye is on record.').waitFor();

  const { customerId } = await visitOf(id);
  await day.client.call(CustomerRecordService.method.recordPatchTest, {
    businessId: WILLOW,
    customerId,
    subject: 'beard dye',
    testedOn: new Date().toISOString().slice(0, 10),
    result: PatchTestResult.NO_REACTION,
  });
  await page.reload();
  await cardOf(page, name).first().click();
  await drawer.getByRole('list', { name: 'Services' }).getByText(ADDED).waitFor();
  await until(async () => expect(await drawer.getByText(/No patch test/).count()).toBe(0));
});
