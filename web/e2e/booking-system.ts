import {
  ProviderConnectionService,
  ProviderKind,
  ProviderRecordKind,
} from '../src/gen/frontdesk/calendarsync/v1/provider_pb';
import type { RestClient } from './rest';
import { sharedPlace, WILLOW, WORKER } from './stack';

/** The place of the demo booking system among a stack's ports. */
const PORT = 92;

/** The demo booking system of this worker's stack, edited on its own page. */
export class BookingSystem {
  readonly #url = `http://127.0.0.1:${sharedPlace(WORKER).basePort + PORT}`;

  async #page(): Promise<string> {
    const answer = await fetch(this.#url);
    return answer.text();
  }

  async token(): Promise<string> {
    return (await this.#page()).match(/<code>([^<]+)<\/code>/)?.[1] ?? '';
  }

  /** Whether an appointment of this title is on its page. */
  async has(title: string): Promise<boolean> {
    return (await this.#page()).includes(title);
  }

  async add(employee: string, title: string, starts: string, minutes: number): Promise<void> {
    const id =
      (await this.#page()).match(new RegExp(`<option value="([^"]+)">${employee}</option>`))?.[1] ?? '';
    await this.#post('/appointments/add', { employee: id, title, starts, minutes: `${minutes}` });
  }

  /** The next requests meet a fault. */
  async fail(fault: string, count: number): Promise<void> {
    await this.#post('/faults', { fault, count: `${count}` });
  }

  /** Nothing goes wrong any more. */
  async mend(): Promise<void> {
    await this.#post('/faults/end', {});
  }

  /** Connects Willow to it, as new. */
  async connect(owner: RestClient): Promise<string> {
    await this.leave(owner);
    const { connection } = await owner.call(ProviderConnectionService.method.connectProvider, {
      businessId: WILLOW,
      kind: ProviderKind.DEMO,
      label: 'Salon book',
      token: await this.token(),
    });
    return connection?.id ?? '';
  }

  /** Takes its employee for the one of the same name here. */
  async map(owner: RestClient, connectionId: string, name: string): Promise<void> {
    const { records } = await owner.call(ProviderConnectionService.method.listProviderRecords, {
      businessId: WILLOW,
      connectionId,
    });
    const employee = records.find((record) => record.name === name);
    await owner.call(ProviderConnectionService.method.mapProviderRecord, {
      businessId: WILLOW,
      connectionId,
      kind: ProviderRecordKind.EMPLOYEE,
      externalId: employee?.externalId ?? '',
      mappedId: employee?.suggestedId ?? '',
    });
  }

  /** Leaves nothing to the next test: neither a connection nor a fault that waits for a request. */
  async leave(owner: RestClient): Promise<void> {
    await this.mend();
    const { connections } = await owner.call(ProviderConnectionService.method.listProviderConnections, {
      businessId: WILLOW,
    });
    for (const { id: connectionId } of connections)
      await owner.call(ProviderConnectionService.method.disconnectProvider, {
        businessId: WILLOW,
        connectionId,
      });
  }

  async #post(path: string, fields: Record<string, string>): Promise<void> {
    const body = new URLSearchParams(fields);
    const answer = await fetch(`${this.#url}${path}`, { method: 'POST', body, redirect: 'manual' });
    if (answer.status !== 303) throw new Error(`${path}: ${answer.status}`);
  }
}
