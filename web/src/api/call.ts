import {
  type DescMessage,
  type DescMethodUnary,
  fromJson,
  type JsonValue,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import { api } from '../session/current';
import { deviceTrust } from './device-trust';
import { type CallOptions, outgoing } from './outgoing';

/** Calls a method of the contract: verb, path, deadline and key come from its own options. */
export async function call<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  input: MessageInitShape<I>,
  options: CallOptions = {},
): Promise<MessageShape<O>> {
  const request = outgoing(method, input, options);
  const answer = await deviceTrust.run(() => api(request));
  return fromJson(method.output, answer as JsonValue, { ignoreUnknownFields: true });
}
