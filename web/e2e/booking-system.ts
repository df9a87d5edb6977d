import { sharedPlace, WORKER } from './stack';

/** The place of the demo booking system among a stack's ports. */
const PORT = 92;

/** The demo booking system of this worker's stack, edited on its own page. */
export class BookingSystem {
  readonly #url = `http://127.0.0.1:${sharedPlace(WORKER).basePort + PORT}`;

  async #page(): Promise<string> {
    const answer = await fetch(this.#url);
    return answer.text();
  }

  async token(): Promise<string> {
    return (await this.#page()).match(/<code>([^<]+)<\/code>/)?.[1] ?? '';
  }

  /** Whether an appointment of this title is on its page. */
  async has(title: string): Promise<boolean> {
    return (await this.#page()).includes(title);
  }

  async add(employee: string, title: string, starts: string, minutes: number): Promise<void> {
    const id =
      (await this.#page()).match(new RegExp(`<option value="([^"]+)">${employee}</option>`))?.[1] ?? '';
    await this.#post('/appointments/add', { employee: id, title, starts, minutes: `${minutes}` });
  }

  /** The next requests meet a fault. */
  async fail(fault: string, count: number): Promise<void> {
    await this.#post('/faults', { fault, count: `${count}` });
  }

  /** Nothing goes wrong any more. */
  async mend(): Promise<void> {
    await this.#post('/faults/end', {});
  }

  async #post(path: string, fields: Record<string, string>): Promise<void> {
    const body = new URLSearchParams(fields);
    const answer = await fetch(`${this.#url}${path}`, { method: 'POST', body, redirect: 'manual' });
    if (answer.status !== 303) throw new Error(`${path}: ${answer.status}`);
  }
}
