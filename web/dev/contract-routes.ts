import {
  create,
  type DescMethod,
  type DescMethodUnary,
  type DescService,
  fromJson,
  getOption,
  type JsonValue,
  type Message,
  ScalarType,
  toJson,
} from '@bufbuild/protobuf';
import { rule } from '../src/gen/frontdesk/access/v1/access_pb';
import { http } from '../src/gen/google/api/annotations_pb';

/** Every service that the browser knows. */
const SERVICES = Object.values(
  import.meta.glob<Record<string, unknown>>('../src/gen/frontdesk/**/*_pb.ts', { eager: true }),
)
  .flatMap((file) => Object.values(file))
  .filter(isService);

function isService(exported: unknown): exported is DescService {
  return (
    typeof exported === 'object' && exported !== null && 'kind' in exported && exported.kind === 'service'
  );
}

/** A method of the contract, found by verb and path, with its decoded request. */
export type Found = {
  method: DescMethodUnary;
  request: Record<string, unknown> & Message;
  leastRole: number;
  sensitive: boolean;
};

type Route = { verb: string; pattern: RegExp; fields: string[]; method: DescMethodUnary };

const isUnary = (method: DescMethod): method is DescMethodUnary => method.methodKind === 'unary';

const routes: Route[] = SERVICES.flatMap((service) =>
  service.methods.filter(isUnary).flatMap((method) => {
    const { pattern } = getOption(method, http);
    if (pattern.case === undefined || pattern.case === 'custom') return [];
    const fields: string[] = [];
    const source = pattern.value.replace(/\{(\w+)\}/g, (_, field: string) => {
      fields.push(field);
      return '([^/:]+)';
    });
    return [{ verb: pattern.case.toUpperCase(), pattern: new RegExp(`^${source}$`), fields, method }];
  }),
);

/** Finds the method of a request; undefined if the contract has none. */
export function find(verb: string, url: URL, body: unknown): Found | undefined {
  for (const { verb: wanted, pattern, fields, method } of routes) {
    const match = wanted === verb && pattern.exec(url.pathname);
    if (!match) continue;
    const json: Record<string, JsonValue> = { ...(body as Record<string, JsonValue> | undefined) };
    for (const [name, value] of url.searchParams)
      json[name] = isBoolean(method, name) ? value === 'true' : value;
    for (const [index, field] of fields.entries()) json[field] = decodeURIComponent(match[index + 1] ?? '');
    // Unknown fields are an error here: the page may send only fields of the contract.
    const request = fromJson(method.input, json) as Found['request'];
    const { leastRole, sensitive } = getOption(method, rule);
    return { method, request, leastRole, sensitive };
  }
  return undefined;
}

/** Numbers may be texts in the contract's JSON, yes and no may not. */
function isBoolean({ input }: DescMethodUnary, name: string): boolean {
  return input.fields.some(({ jsonName, scalar }) => jsonName === name && scalar === ScalarType.BOOL);
}

export function encode(method: DescMethodUnary, answer: object): JsonValue {
  return toJson(method.output, create(method.output, answer as Record<string, unknown>), {
    alwaysEmitImplicit: true,
  });
}
