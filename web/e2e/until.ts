import { expect } from '@playwright/test';

/** How long what a journey waits for may take: as long as a page's own waits. */
const WITHIN_MS = 15_000;

/** Asks again until nothing is thrown any more, and gives the answer. */
export async function until<T>(check: () => T | Promise<T>, withinMs = WITHIN_MS): Promise<T> {
  const answers: T[] = [];
  await expect(async () => {
    answers.push(await check());
  }).toPass({ timeout: withinMs, intervals: [50] });
  return answers.at(-1) as T;
}
