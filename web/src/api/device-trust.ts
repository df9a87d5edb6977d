import { ApiError } from '../http/errors';

/** The server requires a trusted device for this call. */
function wantsTrustedDevice(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.reason === 'DEVICE_NOT_TRUSTED';
}

/**
 * Runs calls that may need a trusted device. However many are refused, the user
 * is asked once; then all of them are sent again, or all of them fail as before.
 */
export class DeviceTrust {
  readonly #listeners = new Set<() => void>();
  #waiting: ((trusted: boolean) => void)[] = [];

  /** Whether a call waits for the user to confirm the device. */
  get asking(): boolean {
    return this.#waiting.length > 0;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  async run<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt();
    } catch (error) {
      if (!wantsTrustedDevice(error) || !(await this.#ask())) throw error;
      return attempt();
    }
  }

  /** Called when the device is trusted, or the user cancelled. */
  answer(trusted: boolean): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve(trusted);
    this.#tell();
  }

  #ask(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#tell();
    });
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** This tab's question. */
export const deviceTrust = new DeviceTrust();
