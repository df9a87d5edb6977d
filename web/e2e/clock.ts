import type { BrowserContext } from '@playwright/test';

/** Milliseconds that the stack under test is ahead of the machine: journeys run at any hour and on any weekday. */
const OFFSET_MS = Number(process.env.FRONTDESK_CLOCK_OFFSET_MS ?? 0);

let shifted = false;

/** Moves this program's `Date` to the stack's time. Runs before each file of journeys, and moves it once. */
export function shiftOwnClock(): void {
  if (OFFSET_MS !== 0 && !shifted) shift(OFFSET_MS);
  shifted = true;
}

/** Moves `Date` in all pages of a browser, before any of their scripts run. */
export async function shiftClock(context: BrowserContext): Promise<void> {
  if (OFFSET_MS !== 0) await context.addInitScript(shift, OFFSET_MS);
}

/** Runs in pages as well: it can use nothing from outside itself. */
function shift(offsetMs: number): void {
  globalThis.Date = new Proxy(Date, {
    construct: (Machine, parts, target) =>
      Reflect.construct(Machine, parts.length === 0 ? [Machine.now() + offsetMs] : parts, target),
    apply: (Machine) => new Machine(Machine.now() + offsetMs).toString(),
    get: (Machine, name) => (name === 'now' ? () => Machine.now() + offsetMs : Reflect.get(Machine, name)),
  });
}
