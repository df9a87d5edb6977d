import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** A real CalDAV server with one account and its calendar "Work", which is published as well. */
export class Radicale {
  static readonly username = 'sofia';
  static readonly password = 'app-password-of-sofia';

  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly url: string,
  ) {}

  static async start(): Promise<Radicale> {
    const folder = await mkdtemp(join(tmpdir(), 'frontdesk-radicale-'));
    const account = `${Radicale.username}:${Radicale.password}`;
    const child = spawn('python3', ['../services/testkit/caldav_server.py', folder, account], {
      env: { ...process.env, PYTHONPATH: resolve('../target/radicale') },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ended = once(child, 'exit').then(() => {
      throw new Error('Radicale did not start');
    });
    const [url] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
    const server = new Radicale(child, folder, url);
    const made = await server.send('MKCALENDAR', '', MAKE);
    if (made.status !== 201) throw new Error(`Radicale answered ${made.status}`);
    return server;
  }

  /** Where its calendar is published. */
  get published(): string {
    return `${this.url}${Radicale.username}/work`;
  }

  /** Deletes an event, as its owner would. */
  async delete(name: string): Promise<void> {
    const deleted = await this.send('DELETE', `${name}.ics`);
    if (!deleted.ok) throw new Error(`Radicale answered ${deleted.status}`);
  }

  /** The names of all events. */
  async names(): Promise<string[]> {
    const listed = await (await this.send('PROPFIND', '', undefined, { depth: '1' })).text();
    return [...listed.matchAll(/<href>[^<]*\/([^/<]+)\.ics<\/href>/g)].map(([, name]) => name ?? '');
  }

  /** Puts an event into the calendar, as its owner would. */
  async put(name: string, title: string, start: Date, minutes: number): Promise<void> {
    const stamp = (at: Date) => at.toISOString().replace(/[-:]|\.\d+/g, '');
    const end = new Date(start.getTime() + minutes * 60_000);
    const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//journey', 'BEGIN:VEVENT', `UID:${name}`];
    lines.push(`DTSTAMP:${stamp(start)}`, `DTSTART:${stamp(start)}`, `DTEND:${stamp(end)}`);
    lines.push(`SUMMARY:${title}`, 'END:VEVENT', 'END:VCALENDAR', '');
    const put = await this.send('PUT', `${name}.ics`, lines.join('\r\n'));
    if (!put.ok) throw new Error(`Radicale answered ${put.status}`);
  }

  async stop(): Promise<void> {
    this.child.stdin?.end();
    await rm(this.folder, { recursive: true, force: true });
  }

  private send(method: string, name: string, body?: string, headers = {}): Promise<Response> {
    const login = Buffer.from(`${Radicale.username}:${Radicale.password}`).toString('base64');
    return fetch(`${this.url}${Radicale.username}/work/${name}`, {
      method,
      ...(body === undefined ? {} : { body }),
      headers: { ...headers, authorization: `Basic ${login}` },
    });
  }
}

const MAKE =
  '<?xml version="1.0"?><C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">' +
  '<D:set><D:prop><D:displayname>Work</D:displayname></D:prop></D:set></C:mkcalendar>';
