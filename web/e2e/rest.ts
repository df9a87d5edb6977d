import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { fromJson } from '@bufbuild/protobuf';
import { outgoing } from '../src/api/outgoing';
import { BASE_URL, PASSWORD } from './stack';

/** A user's client of the REST API, with which tests compare the screen. */
export class RestClient {
  readonly #cookies = new Map<string, string>();
  readonly #url: string;
  #token = '';

  constructor(url = BASE_URL) {
    this.#url = url;
  }

  static async as(email: string, url = BASE_URL): Promise<RestClient> {
    const client = new RestClient(url);
    const grant = await client.send('POST', '/api/auth/login', { email, password: PASSWORD });
    client.#token = ((await grant.json()) as { token: string }).token;
    return client;
  }

  get token(): string {
    return this.#token;
  }

  async call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    input: MessageInitShape<I>,
  ): Promise<MessageShape<O>> {
    const { verb, path, query, body, headers } = outgoing(method, input);
    const address = `/api${path}${query?.size ? `?${query}` : ''}`;
    const answer = await this.send(verb, address, body, headers);
    if (!answer.ok) throw new Error(`${verb} ${address}: ${answer.status} ${await answer.text()}`);
    return fromJson(method.output, await answer.json(), { ignoreUnknownFields: true });
  }

  /** Sends with cookies and XSRF pair; the first refusal hands out the pair. */
  async send(verb: string, path: string, body?: unknown, headers: Record<string, string | undefined> = {}) {
    const first = await this.#attempt(verb, path, body, headers);
    return first.status === 403 ? this.#attempt(verb, path, body, headers) : first;
  }

  async #attempt(verb: string, path: string, body: unknown, headers: Record<string, string | undefined>) {
    const given = Object.entries(headers).flatMap(([name, value]) => (value ? [[name, value]] : []));
    const answer = await fetch(`${this.#url}${path}`, {
      method: verb,
      headers: {
        'Content-Type': 'application/json',
        Cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; '),
        'X-XSRF-TOKEN': this.#cookies.get('XSRF-TOKEN') ?? '',
        ...(this.#token ? { Authorization: `Bearer ${this.#token}` } : {}),
        ...Object.fromEntries(given),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', ...value] = (line.split(';')[0] ?? '').split('=');
      this.#cookies.set(name, value.join('='));
    }
    return answer;
  }
}
