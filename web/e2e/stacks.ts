import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FullConfig } from '@playwright/test';
import { playCall, type Stop, startStack } from './local';
import { GIVEN, sharedPlace } from './stack';

/** Starts a stack for each worker unless one is given, and plays it a call: journeys find one in its list. */
export default async function startStacks({ workers }: FullConfig): Promise<Stop> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-'));
  // Started by root, Postgres keeps its data there under another account.
  await chmod(folder, 0o711);
  // Workers inherit it.
  process.env.FRONTDESK_STACKS = folder;
  // Ends through `exit`, which stops the stacks.
  process.once('SIGTERM', () => process.exit(1));
  const running: Stop[] = [];
  const stop = async () => {
    await Promise.all(running.map((stopOne) => stopOne()));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    // One after the other: their starts take all cores, and have deadlines.
    for (let worker = 0; !GIVEN && worker < workers; worker += 1) {
      running.push(await startStack(sharedPlace(worker)));
      await playCall(sharedPlace(worker), '--fast');
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
