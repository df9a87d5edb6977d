import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DATA } from './stack';
import { until } from './until';

/** Where the stack under test writes the mails it would send. */
const MAIL = join(DATA, 'mail');

type Where = {
  folder?: string;
  /** A match of an earlier mail, which is not the one waited for. */
  not?: string;
};

/** Waits for a mail to an address whose text has a match, and gives the match: newest mail first. */
export function mailed(to: string, wanted: RegExp, { folder = MAIL, not }: Where = {}): Promise<string> {
  return until(async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort();
    // The names are ids that grow with time.
    for (const name of names.reverse()) {
      const mail = await readFile(join(folder, name), 'utf8');
      const [header = '', ...body] = mail.split(/\r?\n\r?\n/);
      const match = addressedTo(header, to) ? wanted.exec(decoded(header, body.join('\n\n'))) : null;
      const found = match ? (match[1] ?? match[0]) : not;
      if (found && found !== not) return found;
    }
    throw new Error(`No mail to ${to} has ${wanted}.`);
  });
}

function addressedTo(header: string, address: string): boolean {
  return new RegExp(`^To: .*${address.replace(/[.+]/g, '\\$&')}`, 'im').test(header);
}

function decoded(header: string, body: string): string {
  const encoding = /^Content-Transfer-Encoding: *(\S+)/im.exec(header)?.[1]?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The links of the mails, as far as they tell what they are for. */
export const LINKS = {
  invitation: /(https?:\/\/\S+\/register\?invitation=[\w.-]+)/,
  confirmation: /(https?:\/\/\S+\/register\?confirm=[\w.-]+)/,
  reset: /(https?:\/\/\S+\/reset-password\?token=[\w.-]+)/,
  deviceCode: /\b(\d{6})\b/,
} as const;
