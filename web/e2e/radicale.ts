import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { until } from './until';

/** It ends when its input does: with the journeys. */
const RUN = `import os, sys, threading
def end():
    sys.stdin.read()
    os._exit(0)
threading.Thread(target=end, daemon=True).start()
from radicale.__main__ import run
run()`;

/** The account has what is its own, and everyone who knows where reads its "Work" as one file. */
const RIGHTS = `[root]
user: .+
collection:
permissions: R
[own]
user: .+
collection: {user}(/.*)?
permissions: RrWw
[published]
user: .*
collection: [^/]+/work
permissions: i
`;

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
    const port = await freePort();
    await writeFile(join(folder, 'users'), `${Radicale.username}:${Radicale.password}\n`);
    await writeFile(join(folder, 'rights'), RIGHTS);
    await writeFile(
      join(folder, 'config'),
      `[server]\nhosts = 127.0.0.1:${port}\n[auth]\ntype = htpasswd\nhtpasswd_filename = ${folder}/users\n` +
        `htpasswd_encryption = plain\ndelay = 0\n[rights]\ntype = from_file\nfile = ${folder}/rights\n` +
        `[storage]\nfilesystem_folder = ${folder}/storage\n`,
    );
    const child = spawn('python3', ['-c', RUN, '--config', join(folder, 'config')], {
      env: { ...process.env, PYTHONPATH: resolve('../target/radicale') },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const server = new Radicale(child, folder, `http://127.0.0.1:${port}/`);
    await until(async () => {
      const made = await server.send('MKCALENDAR', '', MAKE);
      if (made.status !== 201) throw new Error(`Radicale answered ${made.status}`);
    });
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

  private send(method: string, name: string, body?: string): Promise<Response> {
    const login = Buffer.from(`${Radicale.username}:${Radicale.password}`).toString('base64');
    return fetch(`${this.url}${Radicale.username}/work/${name}`, {
      method,
      ...(body === undefined ? {} : { body }),
      headers: { authorization: `Basic ${login}` },
    });
  }
}

const MAKE =
  '<?xml version="1.0"?><C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">' +
  '<D:set><D:prop><D:displayname>Work</D:displayname></D:prop></D:set></C:mkcalendar>';

function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer();
    server.once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (address && typeof address === 'object' ? found(address.port) : failed()));
    });
  });
}
