import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Message = { role: string; content?: string };
type Asked = { messages: Message[]; tools: { function: { name: string } }[] };

/** What the model does with what was said last: it writes chunks, or leaves the answer open. */
type Script = (asked: Asked, answer: Answer) => void;

/** An answer in OpenAI's protocol. */
export class Answer {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  say(text: string): this {
    return this.#chunk({ content: text });
  }

  use(name: string, values: object): this {
    const call = { name, arguments: JSON.stringify(values) };
    return this.#chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call }] });
  }

  end(): void {
    this.#response.end('data: [DONE]\n\n');
  }

  #chunk(delta: object): this {
    if (!this.#response.headersSent) this.#response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'scripted',
      choices: [{ index: 0, delta, finish_reason: null }],
    };
    this.#response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    return this;
  }
}

/** A language model's API that does what a journey tells it. */
export class ScriptedModel {
  readonly asked: Asked[] = [];
  readonly #server: Server;

  constructor(script: Script) {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as Asked;
      this.asked.push(asked);
      script(asked, new Answer(response));
    });
  }

  /** What a stack is told of it. */
  async environment(): Promise<Record<string, string>> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    return { AGENT_MODEL_URL: `http://127.0.0.1:${port}/v1`, AGENT_MODEL: 'scripted' };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
