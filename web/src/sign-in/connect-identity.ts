import type { MessageInitShape } from '@bufbuild/protobuf';
import { call } from '../api/call';
import { AccountService, type ConnectIdentityRequestSchema } from '../gen/frontdesk/auth/v1/account_pb';

/** Connects a provider's account to the person who is signed in, and has shown their password. */
export async function connectIdentity(
  request: MessageInitShape<typeof ConnectIdentityRequestSchema>,
): Promise<void> {
  await call(AccountService.method.connectIdentity, request);
}
