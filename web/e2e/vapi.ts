import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Assistant = {
  id: string;
  firstMessage: string;
  model: { provider: string; model: string; tools?: unknown[] };
};

const KNOWN = ['firstMessage', 'firstMessageMode', 'model', 'server', 'voice'];

type Call = { id: string; [field: string]: unknown };

/** Vapi's API, as far as Frontdesk calls it, with one assistant that an owner has set up. */
export class Vapi {
  /** Calls of the assistant, the latest first. */
  calls: Call[] = [];
  /** What live calls were told. */
  commands: object[] = [];
  assistant: Assistant = {
    id: 'assistant_1',
    firstMessage: 'Yo',
    model: { provider: 'openai', model: 'gpt-4o' },
  };
  readonly #server: Server;

  constructor(readonly key: string) {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const answer = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      const url = new URL(request.url ?? '/', 'http://vapi.test');
      // A live call's own address is its key.
      if (request.method === 'POST' && url.pathname.endsWith('/control')) {
        this.commands.push(JSON.parse(Buffer.concat(chunks).toString()));
        return response.writeHead(200).end();
      }
      if (request.headers.authorization !== `Bearer ${this.key}`)
        return answer(401, { message: 'Invalid key' });
      if (request.method === 'GET' && url.pathname === '/call') {
        const ours = url.searchParams.get('assistantId') === this.assistant.id;
        return answer(200, ours ? this.calls : []);
      }
      const call = this.calls.find(({ id }) => url.pathname === `/call/${id}`);
      if (request.method === 'GET' && call) return answer(200, call);
      if (url.pathname !== `/assistant/${this.assistant.id}`) return answer(404, { message: 'Not found' });
      if (request.method === 'PATCH') {
        const change = JSON.parse(Buffer.concat(chunks).toString()) as Partial<Assistant>;
        const unknown = Object.keys(change).find((field) => !KNOWN.includes(field));
        if (unknown) return answer(400, { message: `property ${unknown} should not exist` });
        this.assistant = { ...this.assistant, ...change };
      } else if (request.method !== 'GET') {
        return answer(404, { message: 'Not found' });
      }
      return answer(200, this.assistant);
    });
  }

  /** What a stack is told of it. */
  async environment(): Promise<Record<string, string>> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    return { VAPI_API_URL: `http://127.0.0.1:${port}` };
  }

  /** A call that goes on, which is controlled here. */
  live(id: string): void {
    const { port } = this.#server.address() as AddressInfo;
    const monitor = { controlUrl: `http://127.0.0.1:${port}/${id}/control` };
    this.calls = [{ id, assistantId: this.assistant.id, status: 'in-progress', monitor }, ...this.calls];
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
