import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Set for a stack that is up already; otherwise each worker has one of its own. */
export const GIVEN = process.env.FRONTDESK_URL;

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** Logs of stacks, and traces of tests that failed. */
export const OUTPUT = join(REPOSITORY, 'web/test-results');

/** Where a stack is. */
export type Place = {
  url: string;
  /** The port of its door, and the one that its services listen above. */
  port: number;
  basePort: number;
  /** Its databases, secrets and mails. */
  data: string;
};

const FIRST_PORT = Number(process.env.FRONTDESK_PORTS ?? 17_100);
/** A stack has so many ports for itself, with its door at the last. */
const PORTS = 100;

/** The stack that a worker's journeys share, and the one that a file may start beside it. */
export const sharedPlace = (worker: number): Place => place(2 * worker);
export const secondPlace = (worker: number): Place => place(2 * worker + 1);

function place(n: number): Place {
  const basePort = FIRST_PORT + n * PORTS;
  const port = basePort + PORTS - 1;
  const data = join(process.env.FRONTDESK_STACKS ?? '', String(n));
  return { url: `http://localhost:${port}`, port, basePort, data };
}

/** Which of the workers this is: one that replaces another has its index. */
export const WORKER = Number(process.env.TEST_PARALLEL_INDEX ?? 0);

/** The stack under test, and the people and businesses its demo data has. */
export const BASE_URL = GIVEN ?? sharedPlace(WORKER).url;
export const DATA = GIVEN
  ? (process.env.FRONTDESK_DATA ?? join(REPOSITORY, '.local'))
  : sharedPlace(WORKER).data;

export const PASSWORD = 'Frontdesk-demo-1';
export const WILLOW = '01900000-0000-7000-8000-000000000001';
export const SECOND = '01900000-0000-7000-8000-000000000002';

export const people = {
  admin: 'admin@demo.test',
  owner: 'owner@demo.test',
  manager: 'manager@demo.test',
  employee: 'employee@demo.test',
  guest: 'guest@demo.test',
} as const;
