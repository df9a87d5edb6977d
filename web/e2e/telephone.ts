import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BASE_URL, DATA } from './stack';

/** The demo salon's line. */
const CONNECTION = '01900000-0000-7000-8000-0000000000c1';

/** A call of a customer to the demo salon, as Retell names it. */
const incoming = (start = Date.now()) => ({
  call_id: `call_${crypto.randomUUID().replaceAll('-', '')}`,
  call_type: 'phone_call',
  direction: 'inbound',
  from_number: '+447700900123',
  to_number: '+442079460014',
  start_timestamp: start,
});

/** A caller asks for a service in these words, the agent asks the salon which one that is, and the caller hangs up. */
export async function askedOnThePhone(words: string): Promise<void> {
  const call = incoming();
  await delivered({
    name: 'list_services',
    args: { service: words },
    call: { ...call, call_status: 'ongoing' },
  });
  await delivered({
    event: 'call_ended',
    call: { ...call, call_status: 'ended', end_timestamp: Date.now() },
  });
}

/** A caller is on the line until the returned function hangs up. */
export async function onTheLine(): Promise<() => Promise<unknown>> {
  const call = incoming();
  await delivered({ event: 'call_started', call: { ...call, call_status: 'ongoing' } });
  return () =>
    delivered({
      event: 'call_ended',
      call: { ...call, call_status: 'ended', end_timestamp: Date.now() },
    });
}

/** A call whose lines a journey says one by one, agent and caller in turn, until it hangs up. */
export async function longCall() {
  const start = Date.now();
  const call = incoming(start);
  const lines: { role: string; content: string; words: { word: string; start: number }[] }[] = [];
  const told = (event: string, more: object) =>
    delivered({ event, call: { ...call, transcript_object: lines, ...more } });
  await told('call_started', { call_status: 'ongoing' });
  return {
    say: (content: string) => {
      const role = lines.length % 2 === 0 ? 'agent' : 'user';
      lines.push({ role, content, words: [{ word: content, start: (Date.now() - start) / 1000 }] });
    },
    /** Has the platform tell all that was said. */
    told: () => told('transcript_updated', { call_status: 'ongoing' }),
    hangUp: () => told('call_ended', { call_status: 'ended', end_timestamp: Date.now() }),
  };
}

/** The platform tells of something that happened to no call. */
export async function toldOfNoCall(event: string): Promise<void> {
  await delivered({ event, agent_id: 'agent_1' });
}

/** A caller says these words, and hangs up; the platform may have recorded it. */
export async function saidOnThePhone(words: string, recordingUrl?: string): Promise<void> {
  const now = Date.now();
  await delivered({
    event: 'call_ended',
    call: {
      call_id: `call_${crypto.randomUUID().replaceAll('-', '')}`,
      call_type: 'phone_call',
      direction: 'inbound',
      from_number: '+447700900123',
      to_number: '+442079460014',
      start_timestamp: now - 60_000,
      end_timestamp: now,
      call_status: 'ended',
      transcript_object: [
        { role: 'agent', content: 'Willow & Co, how can I help?', words: [{ word: 'Willow', start: 0.2 }] },
        { role: 'user', content: words, words: [{ word: 'Hello', start: 2.5 }] },
      ],
      ...(recordingUrl && { recording_url: recordingUrl }),
    },
  });
}

/** A salon's line at Retell: where its webhooks go, and the key that signs them. */
type Line = { webhook: string; key: string };

/** A new caller books the first free time for a service: when that is, and with whom. */
export async function bookedOnThePhone(
  line: Line,
  name: string,
  service: string,
): Promise<{ startsAt: string; employee: string }> {
  const call = {
    call_id: `call_${crypto.randomUUID().replaceAll('-', '')}`,
    call_type: 'phone_call',
    direction: 'inbound',
    from_number: '+447700900987',
    to_number: '+442079460123',
    start_timestamp: Date.now(),
  };
  const ongoing = { ...call, call_status: 'ongoing' };
  await delivered({ event: 'call_started', call: ongoing }, line);
  const tool = async (called: string, args: object) => {
    const answer = (await delivered({ name: called, args, call: ongoing }, line)) as Answer;
    if (answer.ok !== true) throw new Error(`${called}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const { customer_id } = await tool('create_customer', { name });
  const { offers } = await tool('search_availability', { service, customer_id });
  const offer = offers?.[0];
  if (!offer) throw new Error('There is no free time.');
  const { hold_id } = await tool('hold_slot', { starts_at: offer.starts_at, services: offer.services });
  await tool('book_appointment', { hold_id, customer_id });
  const ended = { ...call, call_status: 'ended', end_timestamp: Date.now() };
  await delivered({ event: 'call_ended', call: ended }, line);
  return { startsAt: offer.starts_at, employee: offer.with };
}

/** A caller leaves a message with the agent, and hangs up. */
export async function leftMessage(line: Line, words: string): Promise<void> {
  const call = {
    call_id: `call_${crypto.randomUUID().replaceAll('-', '')}`,
    call_type: 'phone_call',
    direction: 'inbound',
    from_number: '+447700900986',
    to_number: '+442079460123',
    start_timestamp: Date.now() - 30_000,
  };
  const ongoing = { ...call, call_status: 'ongoing' };
  await delivered({ event: 'call_started', call: ongoing }, line);
  await delivered({ name: 'take_message', args: { message: words }, call: ongoing }, line);
  const said = [{ role: 'user', content: words, words: [{ word: 'Please', start: 2 }] }];
  const ended = { call_status: 'ended', end_timestamp: Date.now(), transcript_object: said };
  await delivered({ event: 'call_ended', call: { ...call, ...ended } }, line);
}

/** Words of a call, and from when to when they were said, in seconds into it. */
export type Words = { role: 'agent' | 'user'; content: string; from: number; to: number };

/** How long ago such a call started: what is looked up now falls into its last second. */
const CALL_SECONDS = 30;

/** The number of a caller who asks for one thing. */
export const LOOKS_UP = '+447700900985';

/** A call in which the salon is asked for one thing; its words are written once the answer is there. */
export async function lookedUpOnThePhone(
  line: Line,
  tool: { name: string; args: object },
  wordsOn: (answer: string) => Words[],
): Promise<void> {
  const start = Date.now() - CALL_SECONDS * 1000;
  const call = {
    call_id: `call_${crypto.randomUUID().replaceAll('-', '')}`,
    call_type: 'phone_call',
    direction: 'inbound',
    from_number: LOOKS_UP,
    to_number: '+442079460014',
    start_timestamp: start,
  };
  const ongoing = { ...call, call_status: 'ongoing' };
  await delivered({ event: 'call_started', call: ongoing }, line);
  const { say = '' } = (await delivered({ ...tool, call: ongoing }, line)) as Answer;
  const said = wordsOn(say).map(({ role, content, from, to }) => ({
    role,
    content,
    words: [{ word: content, start: from, end: to }],
  }));
  const ended = { call_status: 'ended', end_timestamp: Date.now(), transcript_object: said };
  await delivered({ event: 'call_ended', call: { ...call, ...ended } }, line);
}

type Offer = { starts_at: string; with: string; services: unknown };
type Answer = { ok?: boolean; say?: string; customer_id?: string; hold_id?: string; offers?: Offer[] };

/** The demo salon's line at a stack. */
export async function demoLine(url = BASE_URL, data = DATA): Promise<Line> {
  const key = await readFile(join(data, 'secrets', 'retell-demo-key'), 'utf8');
  return { webhook: `${url}/api/webhooks/voice/retell/${CONNECTION}`, key };
}

/** Sends what the platform would, signed as the platform signs; what is answered, if anything is. */
async function delivered(payload: object, line?: Line): Promise<unknown> {
  const { webhook, key } = line ?? (await demoLine());
  const body = JSON.stringify(payload);
  const at = Date.now();
  const digest = createHmac('sha256', key).update(`${body}${at}`).digest('hex');
  const answer = await fetch(webhook, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Retell-Signature': `v=${at},d=${digest}` },
    body,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The agent was not heard: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}
