import { serverMessageOf } from '../../http/errors';
import type { Grant, User } from '../user';
import { isWrongPassword } from '../wrong-password';
import type { Arrival } from './arrival';
import type { Attempts, Purpose } from './attempts';
import { CallbackError, readReturn } from './read-return';

/** What came of a way through the provider. */
export type Outcome =
  | { kind: 'signedIn'; user: User; wanted: string | null }
  | { kind: 'connected'; backTo: string | null }
  /** The account has a password, which is needed to add a sign-in method. */
  | { kind: 'asksPassword'; connect: (password: string) => Promise<void>; backTo: string | null }
  | { kind: 'failed'; purpose: Purpose; message: string; lostMemory: boolean; wanted: string | null };

type Parts = {
  arrival: Arrival | null;
  attempts: Attempts;
  exchangeCode: (code: string, codeVerifier: string) => Promise<Grant>;
  redeem: (handoff: string) => Promise<Grant>;
  /** Connects the account behind the code to the person who is signed in. A wrong password leaves the code. */
  connect: (code: string, codeVerifier: string, currentPassword: string) => Promise<void>;
  session: {
    start(): Promise<void>;
    signInWithProvider(exchange: () => Promise<Grant>): Promise<User>;
  };
};

const NOTHING: Arrival = { code: null, state: null, token: null, error: null };

/** The end of a way through the provider: takes what came back, once, however often a screen asks. */
export class ProviderReturn {
  readonly #parts: Parts;
  #outcome: Promise<Outcome> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  outcome(): Promise<Outcome> {
    this.#outcome ??= this.#finish();
    return this.#outcome;
  }

  async #finish(): Promise<Outcome> {
    const { arrival, attempts, session } = this.#parts;
    const attempt = attempts.take();
    const { purpose, wanted } = attempt;
    try {
      const came = readReturn(arrival ?? NOTHING, attempt);
      if (came.kind === 'handoff') {
        const user = await session.signInWithProvider(() => this.#parts.redeem(came.token));
        return { kind: 'signedIn', user, wanted };
      }
      const { code, codeVerifier } = came;
      if (purpose === 'connect') {
        return await this.#connect((password) => this.#parts.connect(code, codeVerifier, password), wanted);
      }
      const user = await session.signInWithProvider(() => this.#parts.exchangeCode(code, codeVerifier));
      return { kind: 'signedIn', user, wanted };
    } catch (error) {
      // An earlier session, if there was one, is still valid.
      void session.start();
      const known = error instanceof CallbackError;
      const message = known ? error.message : serverMessageOf(error, 'Login failed');
      return { kind: 'failed', purpose, message, lostMemory: known && error.lostMemory, wanted };
    }
  }

  /** Asks for a password only if the account has one. */
  async #connect(connect: (password: string) => Promise<void>, backTo: string | null): Promise<Outcome> {
    try {
      await connect('');
      return { kind: 'connected', backTo };
    } catch (error) {
      if (!isWrongPassword(error)) throw error;
      return { kind: 'asksPassword', connect, backTo };
    }
  }
}
