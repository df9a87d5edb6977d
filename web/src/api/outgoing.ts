import {
  create,
  type DescMessage,
  type DescMethodUnary,
  getOption,
  type JsonObject,
  type JsonValue,
  type MessageInitShape,
  toJson,
} from '@bufbuild/protobuf';
import { rule } from '../gen/frontdesk/access/v1/access_pb';
import { http } from '../gen/google/api/annotations_pb';
import { LONG_RUNNING_TIMEOUT_MS, type Outgoing } from '../http/transport';
import type { Verb } from '../http/verb';

export type CallOptions = {
  signal?: AbortSignal | undefined;
  /** The same for every attempt of one intention, so that it takes effect once. */
  idempotencyKey?: string | undefined;
};

/** The request a method and its input amount to. */
export function outgoing<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  input: MessageInitShape<I>,
  { signal, idempotencyKey }: CallOptions = {},
): Outgoing {
  const { verb, template } = restOf(method);
  const access = getOption(method, rule);
  const fields = inputJson(method, input);
  const path = fillPath(method, template, fields);
  return {
    verb,
    path: path.replace(/^\/api/, ''),
    template,
    ...(verb === 'GET' || verb === 'DELETE' ? { query: queryOf(method, fields) } : { body: fields }),
    ...(access.longRunning ? { timeoutMs: LONG_RUNNING_TIMEOUT_MS } : {}),
    ...(access.idempotencyKey
      ? { headers: { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() } }
      : {}),
    signal,
  };
}

/** The input as proto3 JSON: what travels, and what a cached answer is filed under. */
export function inputJson<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  input: MessageInitShape<I>,
): JsonObject {
  return { ...(toJson(method.input, create(method.input, input)) as JsonObject) };
}

function restOf(method: DescMethodUnary): { verb: Verb; template: string } {
  const { pattern } = getOption(method, http);
  switch (pattern.case) {
    case 'get':
    case 'put':
    case 'post':
    case 'delete':
    case 'patch':
      return { verb: pattern.case.toUpperCase() as Verb, template: pattern.value };
    default:
      throw new Error(`${method.parent.typeName}.${method.name} has no REST path.`);
  }
}

/** Moves the fields the template names out of the request and into the path. */
function fillPath(method: DescMethodUnary, template: string, fields: JsonObject): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const field = method.input.fields.find((candidate) => candidate.name === name);
    const value = field && fields[field.jsonName];
    if (!field || typeof value !== 'string' || value === '') {
      throw new Error(`${method.parent.typeName}.${method.name} needs ${name} for its path.`);
    }
    delete fields[field.jsonName];
    return encodeURIComponent(value);
  });
}

/** A message's fields go by their names behind its own: `filter.state`. */
function queryOf(
  method: DescMethodUnary,
  fields: JsonObject,
  prefix = '',
  query = new URLSearchParams(),
): URLSearchParams {
  for (const [name, value] of Object.entries(fields)) {
    if (isMessage(value)) {
      queryOf(method, value, `${prefix}${name}.`, query);
      continue;
    }
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one === 'object') {
        throw new Error(`${method.parent.typeName}.${method.name} cannot carry ${name} in its address.`);
      }
      query.append(prefix + name, String(one));
    }
  }
  return query;
}

const isMessage = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
