import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BASE_URL, DATA } from './stack';

/** The demo salon's line. */
const CONNECTION = '01900000-0000-7000-8000-0000000000c1';

/** A caller asks for a service in these words, the agent asks the salon which one that is, and the caller hangs up. */
export async function askedOnThePhone(words: string): Promise<void> {
  const call = {
    call_id: `call_${crypto.randomUUID().replaceAll('-', '')}`,
    call_type: 'phone_call',
    direction: 'inbound',
    from_number: '+447700900123',
    to_number: '+442079460014',
    start_timestamp: Date.now(),
  };
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
export async function onTheLine(): Promise<() => Promise<void>> {
  const call = {
    call_id: `call_${crypto.randomUUID().replaceAll('-', '')}`,
    call_type: 'phone_call',
    direction: 'inbound',
    from_number: '+447700900123',
    to_number: '+442079460014',
    start_timestamp: Date.now(),
  };
  await delivered({ event: 'call_started', call: { ...call, call_status: 'ongoing' } });
  return () =>
    delivered({
      event: 'call_ended',
      call: { ...call, call_status: 'ended', end_timestamp: Date.now() },
    });
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

/** Sends what the platform would, signed as the platform signs. */
async function delivered(payload: object): Promise<void> {
  const key = await readFile(join(DATA, 'secrets', 'retell-demo-key'), 'utf8');
  const body = JSON.stringify(payload);
  const at = Date.now();
  const digest = createHmac('sha256', key).update(`${body}${at}`).digest('hex');
  const answer = await fetch(`${BASE_URL}/api/webhooks/voice/retell/${CONNECTION}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Retell-Signature': `v=${at},d=${digest}` },
    body,
  });
  if (!answer.ok) throw new Error(`The agent was not heard: ${answer.status} ${await answer.text()}`);
}
