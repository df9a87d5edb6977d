import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { READY_WITHIN_MS, type Stop, startStack } from './local';
import { REPOSITORY, secondPlace, WORKER } from './stack';
import { until } from './until';

const GOOGLE = process.env.FRONTDESK_GOOGLE ?? join(REPOSITORY, 'target/debug/google-fake');
/** The place of Google among a stack's ports. */
const PORT = 93;

export const ACCOUNT = 'sofia@example.com';
const WORK = 'work@group.calendar.google.com';

/** A Google of one's own with one account, and a second stack that is known to it. */
export class GoogleAccount {
  readonly stack = secondPlace(WORKER);
  readonly url = `http://127.0.0.1:${this.stack.basePort + PORT}`;

  /** Ends what the account allowed, as its owner does at Google. */
  async revoke(): Promise<void> {
    await this.#send('POST', '/control/revoke');
  }

  /** Enters an event into the calendar "Work". */
  async enter(id: string, title: string, start: Date, minutes: number): Promise<void> {
    const end = new Date(start.getTime() + minutes * 60_000);
    const event = {
      id,
      summary: title,
      start: { dateTime: start.toISOString() },
      end: { dateTime: end.toISOString() },
    };
    await this.#send('POST', `/control/events?${PLACE}`, event);
  }

  /** The titles in the calendar "Work". */
  async titles(): Promise<string[]> {
    const answer = await this.#send('GET', `/control/events?${PLACE}`);
    return ((await answer.json()) as { summary: string }[]).map(({ summary }) => summary);
  }

  async #send(method: string, path: string, body?: unknown): Promise<Response> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      ...(body ? { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer;
  }
}

const PLACE = new URLSearchParams({ account: ACCOUNT, calendar: WORK });

/** Starts both for a file of tests, and stops them whatever came. */
export function useGoogleAccount(): GoogleAccount {
  const google = new GoogleAccount();
  const client = ['frontdesk-calendars', 'secret-of-frontdesk-calendars'];
  let program: ChildProcess | undefined;
  let stop: Stop | undefined;
  test.beforeAll(async () => {
    test.setTimeout(2 * READY_WITHIN_MS);
    const { url } = google.stack;
    const back = `${url}/onboarding/oauth-callback`;
    program = spawn(GOOGLE, [new URL(google.url).host, ...client, back, ACCOUNT], { stdio: 'ignore' });
    await until(() => google.titles());
    const [id = '', secret = ''] = client;
    stop = await startStack(google.stack, {
      GOOGLE_CALENDAR_CLIENT_ID: id,
      GOOGLE_CALENDAR_CLIENT_SECRET: secret,
      GOOGLE_AUTHORIZATION_URL: `${google.url}/o/oauth2/v2/auth`,
      GOOGLE_OAUTH_URL: `${google.url}/`,
      GOOGLE_CALENDAR_URL: `${google.url}/calendar/v3/`,
    });
  });
  test.afterAll(async () => {
    test.setTimeout(2 * READY_WITHIN_MS);
    await stop?.();
    program?.kill();
  });
  return google;
}
