import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { create, fromJsonString, type MessageInitShape, toJsonString } from '@bufbuild/protobuf';
import { type WebSocket, WebSocketServer } from 'ws';
import { ClientFrameSchema, ServerFrameSchema } from '../src/gen/frontdesk/live/v1/live_pb';
import { rankOf } from '../src/session/roles';
import type { Scenario } from './answer';
import { answerFor } from './answers';
import { authAnswer, type Body, DEVICE_CODE } from './auth-answers';
import { encode, find } from './contract-routes';
import { ACCOUNTS, type Account, PASSWORD } from './fixtures';

/**
 * A server without services: the built page with canned answers, for screenshots
 * and for working on a screen. It implements the contract only.
 */
export class FixtureDoor {
  scenario: Scenario = {};
  /** Below half an hour every page shows the note that its session ends. */
  sessionSecondsLeft = 7 * 24 * 3600;
  /** In development the developer panels float over every page. */
  environment: 'development' | 'production' = 'development';
  readonly #sessions = new Map<string, Account>();
  readonly #sockets = new Set<WebSocket>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  listen(port: number): Promise<string> {
    const sockets = new WebSocketServer({ server: this.#server, path: '/ws' });
    sockets.on('connection', (socket) => this.#greet(socket));
    return new Promise((resolve) => {
      this.#server.listen(port, '127.0.0.1', () => {
        const address = this.#server.address();
        resolve(`http://localhost:${typeof address === 'object' ? address?.port : port}`);
      });
    });
  }

  close(): void {
    for (const socket of this.#sockets) socket.terminate();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Sends a change to every page. */
  announce(change: MessageInitShape<typeof ServerFrameSchema>): void {
    const text = toJsonString(ServerFrameSchema, create(ServerFrameSchema, change));
    for (const socket of this.#sockets) socket.send(text);
  }

  #greet(socket: WebSocket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('message', (data) => {
      const { frame } = fromJsonString(ClientFrameSchema, String(data));
      if (frame.case === 'subscribe') this.announce({ frame: { case: 'ready', value: { cursor: '1' } } });
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (!url.pathname.startsWith('/api/')) return page(url, this.environment, request, response);
    const body = await bodyOf(request);
    if (!hasXsrf(request, url)) {
      const token = randomUUID();
      response.setHeader('Set-Cookie', [`XSRF-TOKEN=${token}; Path=/; SameSite=Strict`]);
      return refuse(response, 403, 'XSRF', 'Missing XSRF token.');
    }
    if (url.pathname.startsWith('/api/auth/') && this.#auth(request, url, body, response)) return;
    await this.#call(request, url, body, response);
  }

  #auth(request: IncomingMessage, url: URL, body: Body, response: ServerResponse): boolean {
    switch (`${request.method} ${url.pathname}`) {
      case 'POST /api/auth/login': {
        const account = ACCOUNTS.find(({ email }) => email === body?.email);
        if (!account || body?.password !== PASSWORD) {
          refuse(response, 401, 'WRONG_CREDENTIALS', 'E-mail or password is wrong.');
        } else {
          this.#grant(account, response);
        }
        return true;
      }
      case 'GET /api/auth/refresh': {
        const account = this.#sessions.get(cookie(request, 'refresh'));
        if (account) this.#grant(account, response);
        else refuse(response, 401, 'UNAUTHENTICATED', 'No session.');
        return true;
      }
      case 'POST /api/auth/logout':
        this.#sessions.delete(cookie(request, 'refresh'));
        send(response, 200, { message: 'Logged out' });
        return true;
      default: {
        const answer = authAnswer(url.pathname, body);
        if (answer?.kind === 'answered') send(response, 200, answer.answer);
        else if (answer?.kind === 'refused') refuse(response, answer.status, answer.reason, answer.message);
        return answer !== undefined;
      }
    }
  }

  #grant(account: Account, response: ServerResponse): void {
    const refresh = randomUUID();
    this.#sessions.set(refresh, account);
    response.setHeader('Set-Cookie', `refresh=${refresh}; Path=/api/auth; HttpOnly; SameSite=Strict`);
    const { role, businessIds } = account;
    send(response, 200, {
      token: tokenOf(account),
      role,
      businessIds,
      sessionSecondsLeft: this.sessionSecondsLeft,
      liveCursor: '1',
    });
  }

  /** From then on the device counts as trusted. */
  #confirmDevice(body: Body, response: ServerResponse): void {
    if (body?.code !== DEVICE_CODE) {
      refuse(response, 400, 'WRONG_CODE', 'That code is wrong.');
      return;
    }
    const rest = Object.entries(this.scenario).filter(([, mood]) => mood !== 'untrusted');
    this.scenario = Object.fromEntries(rest);
    send(response, 200, {});
  }

  async #call(request: IncomingMessage, url: URL, body: Body, response: ServerResponse): Promise<void> {
    if (url.pathname === '/api/v1/me/trusted-devices:confirm') return this.#confirmDevice(body, response);
    const found = find(request.method ?? 'GET', url, body);
    if (!found)
      return refuse(response, 404, 'NOT_FOUND', `The contract has no ${request.method} ${url.pathname}.`);
    const account = personOf(request) ?? ANONYMOUS;
    if (account === ANONYMOUS && found.leastRole > 0)
      return refuse(response, 401, 'UNAUTHENTICATED', 'Sign in first.');
    const businessId = found.request.businessId as string | undefined;
    if (businessId && account.role !== 'ADMIN' && !account.businessIds.includes(businessId)) {
      return refuse(response, 404, 'NOT_FOUND', 'Not found.');
    }
    if (rankOf(account.role) < found.leastRole) return refuse(response, 403, 'ROLE_TOO_LOW', 'Not allowed.');
    if (found.sensitive && this.scenario[found.method.name] === 'untrusted') {
      return refuse(response, 403, 'DEVICE_NOT_TRUSTED', 'This needs a trusted device.');
    }
    const outcome = await answerFor(found.method.name, found.request, account, this.scenario);
    if (outcome.kind === 'refused') {
      const { status, reason, message, metadata } = outcome;
      return refuse(response, status, reason, message, metadata);
    }
    if (outcome.kind === 'answered') send(response, 200, encode(found.method, outcome.answer));
  }
}

const ANONYMOUS: Account = { email: '', name: '', role: '', businessIds: [] };

/** The build that such an installation serves: production's lacks the developers' tools. */
const distOf = (environment: string) => fileURLToPath(new URL(`../dist/${environment}/`, import.meta.url));
const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

function page(url: URL, environment: string, request: IncomingMessage, response: ServerResponse): void {
  if (extname(url.pathname) in TYPES) {
    const file = join(distOf(environment), url.pathname);
    const brotli = /\bbr\b/.test(request.headers['accept-encoding'] ?? '') && existsSync(`${file}.br`);
    response.writeHead(200, {
      'Content-Type': TYPES[extname(url.pathname)],
      'Cache-Control': 'public, max-age=31536000, immutable',
      ...(brotli ? { 'Content-Encoding': 'br' } : {}),
    });
    response.end(readFileSync(brotli ? `${file}.br` : file));
    return;
  }
  const nonce = randomUUID();
  const configuration = {
    apiBaseUrl: '/api',
    webSocketUrl: '/ws',
    environment,
    renewalThresholdMs: 10 * 60_000,
    reports: { vitals: false, traces: false },
    version: 'fixture',
  };
  const html = readFileSync(join(distOf(environment), 'index.html'), 'utf8')
    .replaceAll('__CSP_NONCE__', nonce)
    .replace('__RUNTIME_CONFIG__', JSON.stringify(configuration));
  response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': policy(nonce) });
  response.end(html);
}

function policy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function hasXsrf(request: IncomingMessage, url: URL): boolean {
  const needed = request.method !== 'GET' || url.pathname === '/api/auth/refresh';
  const sent = request.headers['x-xsrf-token'];
  return !needed || (sent !== undefined && sent === cookie(request, 'XSRF-TOKEN'));
}

function cookie(request: IncomingMessage, name: string): string {
  const pair = (request.headers.cookie ?? '').split('; ').find((part) => part.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) ?? '';
}

function tokenOf(account: Account): string {
  const claims = {
    sub: account.email,
    email: account.email,
    name: account.name,
    role: account.role,
    exp: 4102444800,
  };
  return `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.none`;
}

function personOf(request: IncomingMessage): Account | undefined {
  const claims = request.headers.authorization?.split('.')[1];
  if (!claims) return undefined;
  const { email } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { email: string };
  return ACCOUNTS.find((account) => account.email === email);
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text ? (JSON.parse(text) as Body) : undefined;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}

function refuse(
  response: ServerResponse,
  status: number,
  reason: string,
  message: string,
  metadata: Record<string, string> = {},
): void {
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: 'frontdesk',
    metadata,
  };
  send(response, status, { code: status, message, details: [info] });
}

export async function main(): Promise<void> {
  const address = await new FixtureDoor().listen(8089);
  console.log(`Fixtures at ${address}`);
}
