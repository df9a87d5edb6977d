import type { Message } from '@bufbuild/protobuf';
import type { Account } from './fixtures';

/** Methods that misbehave in a screenshot, by name; all others answer normally. */
export type Scenario = Record<string, 'empty' | 'broken' | 'silent' | 'many' | 'untrusted' | 'contradicting'>;

export type Request = Record<string, unknown> & Message;
export type Answer = (request: Request, account: Account, many: boolean) => object | undefined;
