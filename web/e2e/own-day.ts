import type { Page } from '@playwright/test';
import { test } from '@playwright/test';
import { freshPage, inside, type Visit } from './browser';
import { bookedFor, clockOn, quietDay } from './quiet-day';
import { RestClient } from './rest';
import { cancelled, employeeNamed, openOn, serviceNamed } from './salon';
import { people, WILLOW } from './stack';
import { useUndo } from './undo';

/** Who is there all day long. */
export const [MIA, NOAH] = ['Mia Larsen', 'Noah Adeyemi'];
/** What both of them do. */
export const SERVICE = "Men's cut";
/** An hour's height at the zoom a browser begins with. */
export const HOUR_PX = 88;

/** A day of the demo salon that a file has for itself, open around the clock. */
class OwnDay {
  client!: RestClient;
  date!: string;
  serviceId!: string;
  mia!: string;
  noah!: string;
  readonly undo = useUndo();

  at(clock: string): Date {
    return clockOn(this.date, clock);
  }

  /** A visit of a customer with a name of their own. */
  async book(name: string, employeeId: string, clock: string, phone = ''): Promise<string> {
    const item = { serviceId: this.serviceId, employeeId };
    const id = await bookedFor(this.client, name, item, this.at(clock), phone);
    this.undo.push(() => cancelled(this.client, id));
    return id;
  }

  /** A page that shows it. */
  async page(visit: Visit = {}, more = ''): Promise<Page> {
    const page = await freshPage({ as: people.owner, ...visit });
    await page.goto(`/${WILLOW}/schedule?date=${this.date}${more}`);
    await inside(page);
    // With its tools the day takes keys. A phone has them in a menu.
    const tools = page.getByRole('group', { name: 'Beside the day' });
    await tools.or(page.getByRole('list', { name: /^Visits, / })).waitFor();
    return page;
  }
}

/** The first such weekday at least `daysAhead` days from now without a booking. */
export function useOwnDay(weekday: number, daysAhead: number): OwnDay {
  const day = new OwnDay();
  test.beforeAll(async () => {
    const client = await RestClient.as(people.owner);
    const [mia, noah] = [await employeeNamed(client, MIA), await employeeNamed(client, NOAH)];
    const { id: serviceId } = await serviceNamed(client, SERVICE);
    const date = await quietDay(client, weekday, daysAhead);
    Object.assign(day, { client, mia, noah, serviceId, date });
    day.undo.push(await openOn(client, date, [mia, noah]));
  });
  return day;
}
