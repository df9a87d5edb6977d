import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { until } from './until';

/** A clock can be stopped at a time to come only; no timer of a page is due so soon. */
const AHEAD_MS = 5000;

/** Stops the clock of a page, and of all it opens later: from here on only the test moves it. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + AHEAD_MS);
}

/** Lets the page's time go on until something holds; tells how much of it passed. */
export async function letPass(page: Page, holds: () => Promise<boolean>): Promise<number> {
  let passed = 0;
  await until(async () => {
    await page.clock.runFor(STEP_MS);
    passed += STEP_MS;
    expect(await holds()).toBe(true);
  });
  return passed;
}

/**
 * Expects something to hold once so much of the page's time has passed, and not a millisecond before. A page may begin
 * to count a little after it shows that it waits: by so little may it be late.
 */
export async function comesAfter(
  page: Page,
  ms: number,
  waiting: () => Promise<boolean>,
  over: () => Promise<boolean>,
): Promise<void> {
  await page.clock.runFor(ms - 1);
  expect(await waiting()).toBe(true);
  expect(await letPass(page, over)).toBeLessThan(LATE_MS);
}

/** How far one step moves the clock, and how long all of them may take. */
const STEP_MS = 50;
const WITHIN_MS = 30_000;

const LATE_MS = 2000;

type Log = { at: number[]; underWay: number };

/** When a page asked the door for addresses with `part` in them, by the page's own clock. */
export async function askedFor(page: Page, part: string): Promise<Asked> {
  const name = `asked ${part}`;
  await page.addInitScript(listen, { name, part });
  await page.evaluate(listen, { name, part });
  return new Asked(page, name);
}

class Asked {
  readonly #page: Page;
  readonly #name: string;

  constructor(page: Page, name: string) {
    this.#page = page;
    this.#name = name;
  }

  /** The instants of all requests of this document, in milliseconds. */
  async times(): Promise<number[]> {
    return (await this.#log()).at;
  }

  /** Resolves when no answer is on its way. */
  async answered(): Promise<void> {
    await until(async () => expect((await this.#log()).underWay).toBe(0));
  }

  /** Moves the stopped clock on until there were so many requests; it stands while an answer is on its way. */
  async until(count: number): Promise<number[]> {
    const end = Date.now() + WITHIN_MS;
    let at = await this.times();
    while (at.length < count && Date.now() < end) {
      await this.answered();
      await this.#page.clock.runFor(STEP_MS);
      at = await this.times();
    }
    expect(at.length).toBe(count);
    return at;
  }

  #log(): Promise<Log> {
    return this.#page.evaluate((name) => (window as unknown as Record<string, Log>)[name] as Log, this.#name);
  }
}

/** How far apart instants are. */
export const gaps = (at: number[]) => at.slice(1).map((time, index) => time - (at[index] ?? 0));

/** Runs in the page: wraps `fetch` and keeps a log. */
function listen({ name, part }: { name: string; part: string }): void {
  const log = { at: [] as number[], underWay: 0 };
  Object.assign(window, { [name]: log });
  const { fetch } = window;
  window.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (!address.includes(part)) return fetch(input, init);
    log.at.push(Date.now());
    log.underWay += 1;
    try {
      const answer = await fetch(input, init);
      // An answer counts once its body is complete.
      await answer.clone().arrayBuffer();
      return answer;
    } finally {
      log.underWay -= 1;
    }
  };
}
