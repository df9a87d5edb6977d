import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** A span as a process exported it. */
export type Span = {
  service: string;
  traceId: string;
  spanId: string;
  parentId: string;
  name: string;
  startNs: bigint;
  endNs: bigint;
  /** Names of its attributes. */
  attributes: string[];
};

/** A line of a process's log. */
export type LogLine = { service: string; traceId: string; body: string };

/** Takes OTLP over HTTP, and keeps spans, log lines, and what is said of metrics as it was sent. */
export class Collector {
  readonly spans: Span[] = [];
  readonly logs: LogLine[] = [];
  readonly metrics: string[] = [];
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (request, answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      if (request.url?.endsWith('/v1/traces')) this.spans.push(...spansOf(body));
      if (request.url?.endsWith('/v1/logs')) this.logs.push(...logsOf(body));
      if (request.url?.endsWith('/v1/metrics')) this.metrics.push(body.toString('latin1'));
      answer.end();
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

// Numbers of fields in opentelemetry/proto: trace/v1, logs/v1, resource/v1, common/v1.
const RESOURCES = 1;
const RESOURCE = { resource: 1, scopes: 2 };
const ENTRIES = 2;
const ATTRIBUTES_OF_RESOURCE = 1;
const PAIR = { key: 1, value: 2 };
const TEXT = 1;
const SPAN = { traceId: 1, spanId: 2, parentId: 4, name: 5, start: 7, end: 8, attributes: 9 };
const LOG = { body: 5, traceId: 9 };

type Message = Map<number, (Uint8Array | bigint)[]>;

/** The fields of a message: of lengths their bytes, of numbers of 64 bits their value. */
function read(bytes: Uint8Array): Message {
  const reader = new BinaryReader(bytes);
  const fields: Message = new Map();
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    const value =
      type === WireType.LengthDelimited
        ? reader.bytes()
        : type === WireType.Bit64
          ? BigInt(reader.fixed64())
          : reader.skip(type, field);
    fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  return fields;
}

const bytesAt = (message: Message, field: number) => (message.get(field) ?? []) as Uint8Array[];
const messagesAt = (message: Message, field: number) => bytesAt(message, field).map(read);
const hexAt = (message: Message, field: number) =>
  Buffer.from(bytesAt(message, field)[0] ?? []).toString('hex');
const textAt = (message: Message, field: number) => Buffer.from(bytesAt(message, field)[0] ?? []).toString();
const numberAt = (message: Message, field: number) => (message.get(field)?.[0] ?? 0n) as bigint;

/** Every entry below resources and scopes, with the service it comes from. */
function entriesOf(body: Uint8Array): { service: string; entry: Message }[] {
  return messagesAt(read(body), RESOURCES).flatMap((resource) => {
    const [about = new Map()] = messagesAt(resource, RESOURCE.resource);
    const attributes = messagesAt(about, ATTRIBUTES_OF_RESOURCE);
    const named = attributes.find((pair) => textAt(pair, PAIR.key) === 'service.name');
    const service = named ? textOfValue(named, PAIR.value) : '';
    const entries = messagesAt(resource, RESOURCE.scopes).flatMap((scope) => messagesAt(scope, ENTRIES));
    return entries.map((entry) => ({ service, entry }));
  });
}

function textOfValue(message: Message, field: number): string {
  const [value = new Map()] = messagesAt(message, field);
  return textAt(value, TEXT);
}

function spansOf(body: Uint8Array): Span[] {
  return entriesOf(body).map(({ service, entry }) => ({
    service,
    traceId: hexAt(entry, SPAN.traceId),
    spanId: hexAt(entry, SPAN.spanId),
    parentId: hexAt(entry, SPAN.parentId),
    name: textAt(entry, SPAN.name),
    startNs: numberAt(entry, SPAN.start),
    endNs: numberAt(entry, SPAN.end),
    attributes: messagesAt(entry, SPAN.attributes).map((pair) => textAt(pair, PAIR.key)),
  }));
}

function logsOf(body: Uint8Array): LogLine[] {
  return entriesOf(body).map(({ service, entry }) => ({
    service,
    traceId: hexAt(entry, LOG.traceId),
    body: textOfValue(entry, LOG.body),
  }));
}
