import ky from 'ky';
import { ApiError, refusal } from './errors';
import { tabHeaders } from './headers';
import type { RequestSpans } from './request-spans';
import type { Verb } from './verb';

const DEFAULT_TIMEOUT_MS = 30_000;
export const LONG_RUNNING_TIMEOUT_MS = 10 * 60_000;

/** One request to the server, before cookies and tokens are added. */
export type Outgoing = {
  verb: Verb;
  /** Below the API's base address, with a leading slash. */
  path: string;
  /** The path with names for what varies; without one, nothing does. */
  template?: string;
  query?: URLSearchParams | undefined;
  body?: unknown;
  headers?: Record<string, string | undefined>;
  /** Defaults to the current token; null sends none. */
  token?: string | null | undefined;
  /** Sends the XSRF header although the verb is safe. */
  xsrf?: boolean;
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Completes even if the page is closed. */
  keepalive?: boolean;
  /** Takes each line of an accepted answer as it comes; the answer then has no body. */
  onLine?: ((line: string) => void) | undefined;
  /** The answer, if the request was sent already. */
  prefetched?: Promise<Response> | undefined;
  /** Sent without a trace of its own. */
  untraced?: boolean;
};

export type Transport = (request: Outgoing) => Promise<Response>;

export type TransportParts = {
  baseUrl: string;
  sessionId: string;
  cookies: () => string;
  /** The current access token. */
  token?: () => string | null;
  /** Traces requests, where the installation keeps traces. */
  spans?: RequestSpans | undefined;
  fetch?: typeof fetch;
};

const SAFE = new Set<Verb>(['GET']);

/**
 * Sends a request with cookies, session id and XSRF header, and reads the whole
 * answer, whatever its status. A refusal for an invalid XSRF token brings a new
 * one, so the request is then sent once more.
 */
export function createTransport({
  baseUrl,
  sessionId,
  cookies,
  token,
  spans,
  fetch,
}: TransportParts): Transport {
  const client = ky.create({
    retry: 0,
    throwHttpErrors: false,
    credentials: 'include',
    ...(fetch ? { fetch } : {}),
  });

  const attempt = async (request: Outgoing): Promise<Response> => {
    const proof = request.token === undefined ? token?.() : request.token;
    const xsrf = request.xsrf || !SAFE.has(request.verb);
    const timeout = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const late = AbortSignal.timeout(timeout);
    const traced = !request.untraced && !request.prefetched;
    const span = traced ? spans?.begin(request.verb, request.template ?? `/api${request.path}`) : undefined;
    try {
      const answer = await (request.prefetched ??
        client(`${baseUrl}${request.path}`, {
          method: request.verb,
          timeout,
          keepalive: request.keepalive ?? false,
          headers: {
            ...tabHeaders(sessionId, xsrf ? cookies() : ''),
            Authorization: proof ? `Bearer ${proof}` : undefined,
            traceparent: span?.traceparent,
            ...request.headers,
          },
          ...(request.query?.size ? { searchParams: request.query } : {}),
          ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
          signal: request.signal ? AbortSignal.any([late, request.signal]) : late,
        }));
      // The time limit covers the whole body.
      const body =
        request.onLine && answer.ok ? await passLines(answer, request.onLine) : await answer.arrayBuffer();
      span?.end(answer.status);
      return new Response(body.byteLength > 0 ? body : null, answer);
    } catch (error) {
      if (!request.signal?.aborted) span?.end(0);
      throw request.signal?.aborted ? error : asFailure(error, late);
    }
  };

  return async (request) => {
    const answer = await attempt(request);
    if (!(await isXsrfRefusal(answer))) return answer;
    return attempt({ ...request, prefetched: undefined });
  };
}

/** Hands an answer's lines over as they come; nothing of it is left. */
async function passLines(answer: Response, onLine: (line: string) => void): Promise<ArrayBuffer> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let begun = '';
  for (;;) {
    const read = await reader?.read();
    if (!read || read.done) break;
    const lines = (begun + read.value).split('\n');
    begun = lines.pop() ?? '';
    for (const line of lines) if (line) onLine(line);
  }
  if (begun) onLine(begun);
  return new ArrayBuffer(0);
}

function asFailure(error: unknown, late: AbortSignal): ApiError {
  if (late.aborted || (error as Partial<Error> | null)?.name === 'TimeoutError')
    return new ApiError('timeout', { kind: 'timeout' });
  return new ApiError('unreachable', { kind: 'unreachable' });
}

async function isXsrfRefusal(answer: Response): Promise<boolean> {
  if (answer.status !== 403) return false;
  return (await refusal(answer.clone())).reason === 'XSRF';
}
