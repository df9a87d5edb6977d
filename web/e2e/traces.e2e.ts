import type { Page, Request } from '@playwright/test';
import { signedIn } from './browser';
import { READY_WITHIN_MS, type Stop, startStack } from './local';
import { Collector, type Span } from './otlp';
import { RestClient } from './rest';
import { dayOf, firstOffer, serviceNamed, startOf } from './salon';
import { people, secondPlace, WILLOW, WORKER } from './stack';
import { expect, test } from './test';

/** The processes export each in its own time, a parent often before its children. */
const ARRIVES = { timeout: 30_000 };

const place = secondPlace(WORKER);
const collector = new Collector();
let stop: Stop | undefined;

test.beforeAll(async () => {
  test.setTimeout(2 * READY_WITHIN_MS);
  const telemetry = {
    OTEL_EXPORTER_OTLP_ENDPOINT: await collector.listen(),
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_BSP_SCHEDULE_DELAY: '500',
    OTEL_BLRP_SCHEDULE_DELAY: '500',
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
  };
  stop = await startStack(place, telemetry, ['--processes']);
});

test.afterAll(async () => {
  test.setTimeout(2 * READY_WITHIN_MS);
  await stop?.();
  collector.close();
});

/** Books the first free time of a day, and returns the request that did. */
async function bookInThePage(page: Page): Promise<Request> {
  const client = await RestClient.as(people.employee, place.url);
  const service = await serviceNamed(client, 'Blow dry');
  const start = startOf(await firstOffer(client, [{ serviceId: service.id }], 1));
  await page.goto(`/${WILLOW}`);
  await page.getByRole('button', { name: 'New booking' }).click();
  const dialog = page.getByRole('dialog', { name: 'New booking' });
  await dialog.getByLabel('Service', { exact: true }).selectOption({ label: service.name });
  await dialog.getByLabel('Day', { exact: true }).fill(dayOf(start));
  await dialog.getByRole('list', { name: 'Free times' }).getByRole('button').first().click();
  await dialog.getByText('Held for you').waitFor();
  const booking = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/appointments'),
  );
  await dialog.getByRole('button', { name: 'Book', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  return booking;
}

/** Whatever the page reports from here on, the door must take. */
function expectReportsTaken(page: Page): void {
  page.on('response', (answer) => {
    if (answer.url().endsWith('/api/v1/page-reports')) expect(answer.status()).toBe(204);
  });
}

/** Lets the page believe that it is left for another tab: it sends what it has measured. */
async function leave(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    Reflect.deleteProperty(document, 'visibilityState');
  });
}

const BELOW: Record<string, (span: Span) => boolean> = {
  'the page': ({ service, name }) =>
    service === 'web' && name === 'POST /api/v1/businesses/{business_id}/appointments',
  'the door': ({ service, name }) => service === 'bff' && name.endsWith('/{business_id}/appointments'),
  scheduling: ({ service, name }) => service === 'scheduling' && name.endsWith('/BookAppointment'),
  SQL: ({ service, attributes }) =>
    service === 'scheduling' && attributes.some((name) => name.startsWith('db.')),
  'the calendar': ({ service, name }) => service === 'calendar-sync' && name === 'calendar write',
};

test('a booking in the browser is one trace, from the click to the calendar and the logs', async () => {
  const page = await signedIn(people.employee, { at: place.url });
  expectReportsTaken(page);
  const booking = await bookInThePage(page);
  const [, traceId = '', spanId = ''] = (await booking.headerValue('traceparent'))?.split('-') ?? [];
  const trace = () => collector.spans.filter((span) => span.traceId === traceId);
  const found = async () => {
    await leave(page);
    return Object.keys(BELOW).filter((part) => trace().some((span) => BELOW[part]?.(span)));
  };
  await expect.poll(found, ARRIVES).toEqual(Object.keys(BELOW));
  const lines = () => collector.logs.filter((line) => line.traceId === traceId);
  await expect
    .poll(lines, ARRIVES)
    .toContainEqual(expect.objectContaining({ service: 'calendar-sync', body: 'a calendar was written' }));

  const span = (part: string) => trace().find((span) => BELOW[part]?.(span));
  expect(span('the page')).toMatchObject({ spanId, parentId: '' });
  // Each part hangs below the one before it: there is a way from each up to the page.
  for (const part of Object.keys(BELOW))
    await expect.poll(() => rootOf(trace(), span(part)), ARRIVES).toBe(spanId);
  const [pages, doors] = [span('the page'), span('the door')];
  expect(doors?.parentId).toBe(spanId);
  expect(pages && pages.endNs - pages.startNs).toBeGreaterThan(0n);
  await page.close();
});

/** The span that stands at the top of one's ancestors. */
function rootOf(trace: Span[], span: Span | undefined): string | undefined {
  const above = trace.find(({ spanId }) => spanId === span?.parentId);
  return above ? rootOf(trace, above) : span?.spanId;
}

test('what a page measured of itself names the pages it was on, and no record', async () => {
  const page = await signedIn(people.employee, { at: place.url });
  expectReportsTaken(page);
  await page.goto(`/${WILLOW}/schedule?date=2030-01-02`);
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  // Ends the search for the largest paint.
  await page.getByRole('main').getByRole('heading', { level: 1 }).click();
  const measured = async () => {
    await leave(page);
    return collector.metrics.filter((metrics) => metrics.includes('browser.web_vital')).at(-1) ?? '';
  };
  for (const said of ['/:businessId/schedule', 'ttfb', 'fcp', 'lcp'])
    await expect.poll(measured, ARRIVES).toContain(said);
  expect(collector.metrics.join()).not.toContain(WILLOW);
  await page.close();
});
