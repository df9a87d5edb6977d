import { join } from 'node:path';
import { test } from '@playwright/test';
import { READY_WITHIN_MS, type Stop, startStack } from './local';
import { secondPlace, WORKER } from './stack';

/** A second stack, which asks for a trusted device before anything sensitive. */
export type ProductionStack = { url: string; mail: string };

/** Starts it for a file of tests, and stops it whatever came. */
export function useProductionStack(): () => ProductionStack {
  const place = secondPlace(WORKER);
  let stop: Stop | undefined;
  test.beforeAll(async () => {
    test.setTimeout(2 * READY_WITHIN_MS);
    stop = await startStack(place, { SECURITY_PROFILE: 'production' });
  });
  test.afterAll(async () => {
    test.setTimeout(2 * READY_WITHIN_MS);
    await stop?.();
  });
  return () => ({ url: place.url, mail: join(place.data, 'mail') });
}
