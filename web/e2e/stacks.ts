import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FullConfig } from '@playwright/test';
import { playCall, startStack } from './local';
import { sharedPlace } from './stack';

/** Starts a stack for each worker, which has had a call before anyone looks, and gives the way to stop them. */
export default async function startStacks({
  workers,
}: FullConfig): Promise<(() => Promise<void>) | undefined> {
  if (process.env.FRONTDESK_URL) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-'));
  // Postgres keeps its data there under an account of its own, where root starts it.
  await chmod(folder, 0o711);
  // Workers inherit it.
  process.env.FRONTDESK_STACKS = folder;
  // Ends through `exit`, which stops the stacks.
  process.once('SIGTERM', () => process.exit(1));
  const places = Array.from({ length: workers }, (_, worker) => sharedPlace(worker));
  const starts = places.map((place) => startStack(place));
  const stop = async () => {
    for (const start of await Promise.allSettled(starts)) {
      if (start.status === 'fulfilled') await start.value();
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all(starts);
    await Promise.all(places.map((place) => playCall(place, '--fast')));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
