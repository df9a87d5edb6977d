import { test } from '@playwright/test';

/** What the journeys of a file leave behind: taken back after them, the last first. */
export function useUndo(): (() => Promise<unknown>)[] {
  const steps: (() => Promise<unknown>)[] = [];
  test.afterAll(async () => {
    // Much of it is gone already.
    for (const step of steps.reverse()) await step().catch(() => undefined);
  });
  return steps;
}
