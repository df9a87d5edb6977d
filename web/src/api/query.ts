import type {
  DescMessage,
  DescMethodUnary,
  JsonObject,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from './call';
import { inputJson } from './outgoing';

/** Where answers of a method are filed: its full name, then its input. */
export type RpcKey = readonly [method: string, input: JsonObject, ...rest: unknown[]];

export function methodKey(method: { parent: { typeName: string }; name: string }): string {
  return `${method.parent.typeName}/${method.name}`;
}

/** A read of the contract as a query. */
export function rpcQuery<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  input: MessageInitShape<I>,
) {
  return queryOptions({
    queryKey: [methodKey(method), inputJson(method, input)] as RpcKey,
    queryFn: ({ signal }): Promise<MessageShape<O>> => call(method, input, { signal }),
  });
}

/** A list of the contract, page after page. */
export function rpcPages<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  input: MessageInitShape<I> & { pageSize?: number },
) {
  return infiniteQueryOptions({
    queryKey: [methodKey(method), inputJson(method, input), 'pages'] as RpcKey,
    queryFn: ({ pageParam, signal }): Promise<MessageShape<O>> =>
      call(method, { ...input, pageToken: pageParam } as MessageInitShape<I>, { signal }),
    initialPageParam: '',
    getNextPageParam: (last: MessageShape<O>) =>
      (last as { nextPageToken?: string }).nextPageToken || undefined,
  });
}

const MOST = 200;

type Paged = { pageSize?: number; pageToken?: string };

/** A list of the contract as one answer, for what is wrong with a part missing: a day's visits, a person's businesses. */
export function rpcWhole<I extends DescMessage, O extends DescMessage, T>(
  method: DescMethodUnary<I, O>,
  input: MessageInitShape<I> & Paged,
  itemsOf: (answer: MessageShape<O>) => T[],
) {
  const whole = { ...input, pageSize: MOST };
  return queryOptions({
    queryKey: [methodKey(method), inputJson(method, whole), 'whole'] as RpcKey,
    queryFn: async ({ signal }): Promise<T[]> => {
      const items: T[] = [];
      let pageToken = '';
      do {
        const answer = await call(method, { ...whole, pageToken } as MessageInitShape<I>, { signal });
        items.push(...itemsOf(answer));
        pageToken = (answer as { nextPageToken?: string }).nextPageToken ?? '';
      } while (pageToken);
      return items;
    },
  });
}
