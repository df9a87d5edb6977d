// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { tabSessionId } from './headers';
import { RequestSpans } from './request-spans';
import { createTransport, LONG_RUNNING_TIMEOUT_MS, type Transport } from './transport';

let jar: string;
let held: string | null;
let answers: (() => Response | Promise<Response>)[];
let sent: Request[];
let transport: Transport;

const refused = (status: number, reason: string) =>
  new Response(
    JSON.stringify({
      code: 7,
      message: 'no',
      details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'frontdesk' }],
    }),
    { status },
  );

beforeEach(() => {
  jar = 'other=1; XSRF-TOKEN=first';
  held = null;
  answers = [];
  sent = [];
  transport = createTransport({
    baseUrl: 'http://localhost/api',
    sessionId: 'tab-1',
    cookies: () => jar,
    token: () => held,
    fetch: vi.fn(async (input: RequestInfo | URL, init?: RequestInit) => {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      sent.push(request);
      const answer = answers.shift();
      if (!answer) throw new Error('No answer was prepared.');
      return answer();
    }),
  });
});

describe('the transport', () => {
  it('hands the lines of an accepted answer over as they come, wherever it is cut', async () => {
    const pieces = ['{"a":1}\n{"b"', ':2}\n', '\n{"c":"é"}'].map((text) => new TextEncoder().encode(text));
    answers = [
      () =>
        new Response(
          new ReadableStream({
            start(controller) {
              for (const piece of pieces) controller.enqueue(piece);
              controller.close();
            },
          }),
        ),
    ];
    const lines: string[] = [];
    const answer = await transport({ verb: 'POST', path: '/v1/x', onLine: (line) => lines.push(line) });
    expect(lines).toEqual(['{"a":1}', '{"b":2}', '{"c":"é"}']);
    expect(await answer.text()).toBe('');
  });

  it('keeps a refusal whole although lines were wanted', async () => {
    answers = [() => refused(403, 'ROLE_TOO_LOW')];
    const onLine = vi.fn();
    const answer = await transport({ verb: 'POST', path: '/v1/x', onLine });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('ROLE_TOO_LOW');
    expect(onLine).not.toHaveBeenCalled();
  });

  it('sends cookies, session id, content type and token', async () => {
    answers = [() => new Response('{}')];
    await transport({
      verb: 'GET',
      path: '/v1/x',
      token: 'abc',
      query: new URLSearchParams({ pageSize: '5' }),
    });
    const [request] = sent;
    expect(request?.url).toBe('http://localhost/api/v1/x?pageSize=5');
    expect(request?.credentials).toBe('include');
    expect(request?.headers.get('X-Session-Id')).toBe('tab-1');
    expect(request?.headers.get('Content-Type')).toBe('application/json');
    expect(request?.headers.get('Authorization')).toBe('Bearer abc');
    expect(request?.headers.has('X-XSRF-TOKEN')).toBe(false);
  });

  it('sends the current token if a request names none, and none if there is none', async () => {
    answers = Array.from({ length: 4 }, () => () => new Response('{}'));
    await transport({ verb: 'GET', path: '/config/frontend' });
    held = 'held';
    await transport({ verb: 'GET', path: '/config/frontend' });
    await transport({ verb: 'GET', path: '/auth/refresh', token: 'handoff' });
    await transport({ verb: 'GET', path: '/v1/x', token: null });
    expect(sent.map(({ headers }) => headers.get('Authorization'))).toEqual([
      null,
      'Bearer held',
      'Bearer handoff',
      null,
    ]);
  });

  it('sends each request under a trace of its own, and keeps how it went by its template', async () => {
    const spans = new RequestSpans();
    const unreachable = vi.fn().mockRejectedValue(new TypeError('no network'));
    const headers: (string | null)[] = [];
    const answering = vi.fn(async (input: RequestInfo | URL, init?: RequestInit) => {
      headers.push(new Request(input, init).headers.get('traceparent'));
      return new Response('{}');
    });
    const over = (fetch: typeof globalThis.fetch) =>
      createTransport({
        baseUrl: 'http://localhost/api',
        sessionId: 'tab-1',
        cookies: () => jar,
        spans,
        fetch,
      });
    const template = '/api/v1/businesses/{business_id}/services';
    await over(answering)({ verb: 'GET', path: '/v1/businesses/b1/services', template });
    await over(answering)({ verb: 'POST', path: '/v1/page-reports', untraced: true });
    await over(unreachable)({ verb: 'GET', path: '/auth/me' }).catch(() => undefined);
    const kept = spans.take();
    expect(kept).toMatchObject([
      { method: 'GET', route: template, status: 200 },
      { method: 'GET', route: '/api/auth/me', status: 0 },
    ]);
    expect(kept[0]?.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(kept[1]?.traceparent).not.toBe(kept[0]?.traceparent);
    expect(headers).toEqual([kept[0]?.traceparent, null]);
    expect(spans.take()).toEqual([]);
  });

  it('echoes the XSRF cookie on unsafe verbs, and on the refresh', async () => {
    answers = [() => new Response('{}'), () => new Response('{}')];
    await transport({ verb: 'POST', path: '/v1/x', body: { a: 1 } });
    await transport({ verb: 'GET', path: '/auth/refresh', xsrf: true });
    expect(sent.map((request) => request.headers.get('X-XSRF-TOKEN'))).toEqual(['first', 'first']);
    expect(await sent[0]?.text()).toBe('{"a":1}');
  });

  it('tries once more with the cookie a refusal brought', async () => {
    answers = [
      () => {
        jar = 'XSRF-TOKEN=second';
        return refused(403, 'XSRF');
      },
      () => new Response('{"ok":true}'),
    ];
    const answer = await transport({ verb: 'POST', path: '/v1/x', body: {} });
    expect(answer.status).toBe(200);
    expect(sent.map((request) => request.headers.get('X-XSRF-TOKEN'))).toEqual(['first', 'second']);
  });

  it('does not try a third time, nor on other refusals', async () => {
    answers = [() => refused(403, 'XSRF'), () => refused(403, 'XSRF')];
    expect((await transport({ verb: 'POST', path: '/v1/x', body: {} })).status).toBe(403);
    answers = [() => refused(403, 'ROLE_TOO_LOW')];
    expect((await transport({ verb: 'POST', path: '/v1/x', body: {} })).status).toBe(403);
    expect(sent).toHaveLength(3);
  });

  it('takes the answer to a prefetched request, and sends another if its XSRF token was refused', async () => {
    const prefetched = Promise.resolve(new Response('{"ok":true}'));
    const answer = await transport({ verb: 'GET', path: '/auth/refresh', xsrf: true, prefetched });
    expect([await answer.json(), sent]).toEqual([{ ok: true }, []]);

    answers = [() => new Response('{"ok":"again"}')];
    const refusal = Promise.resolve(refused(403, 'XSRF'));
    const second = await transport({ verb: 'GET', path: '/auth/refresh', xsrf: true, prefetched: refusal });
    expect([await second.json(), sent.length]).toEqual([{ ok: 'again' }, 1]);
  });

  it('tells a prefetch without an answer from one that took too long', async () => {
    const ask = (error: Error) =>
      transport({ verb: 'GET', path: '/auth/refresh', prefetched: Promise.reject(error) });
    await expect(ask(new TypeError('Failed to fetch'))).rejects.toMatchObject({
      failure: { kind: 'unreachable' },
    });
    await expect(ask(new DOMException('signal timed out', 'TimeoutError'))).rejects.toMatchObject({
      failure: { kind: 'timeout' },
    });
  });

  it('distinguishes a server out of reach from an aborted call', async () => {
    answers = [
      () => {
        throw new TypeError('Failed to fetch');
      },
    ];
    await expect(transport({ verb: 'GET', path: '/v1/x' })).rejects.toMatchObject({
      failure: { kind: 'unreachable' },
    });
    const controller = new AbortController();
    controller.abort();
    await expect(transport({ verb: 'GET', path: '/v1/x', signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('gives up on an answer that stops half-way', async () => {
    answers = [
      () =>
        new Response(
          new ReadableStream({
            start(body) {
              body.enqueue(new TextEncoder().encode('{"half":'));
              const { signal } = sent[0] as Request;
              signal.addEventListener('abort', () => body.error(signal.reason));
            },
          }),
        ),
    ];
    await expect(transport({ verb: 'GET', path: '/v1/x', timeoutMs: 20 })).rejects.toMatchObject({
      failure: { kind: 'timeout' },
    });
  });

  it.each([
    ['30 s, when nothing else is said', undefined, 30_000],
    ['10 min, for a call that takes long', LONG_RUNNING_TIMEOUT_MS, 600_000],
  ])('gives up after %s', async (_, timeoutMs, expected) => {
    vi.useFakeTimers();
    answers = [() => new Promise<Response>(() => undefined)];
    const ended = vi.fn();
    const call = transport({ verb: 'GET', path: '/v1/x', timeoutMs }).catch(ended);
    await vi.advanceTimersByTimeAsync(expected - 1);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await call;
    expect(ended.mock.calls[0]?.[0]).toMatchObject({ failure: { kind: 'timeout' } });
    vi.useRealTimers();
  });
});

describe('the session id', () => {
  it('stays the same within a tab', () => {
    sessionStorage.clear();
    const first = tabSessionId(sessionStorage);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(tabSessionId(sessionStorage)).toBe(first);
    expect(tabSessionId(undefined)).not.toBe(first);
  });
});
