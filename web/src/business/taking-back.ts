import { messageOf } from '../http/errors';
import type { TakeBack } from '../ui/undos';

/** Takes a change back, says `done` or why not, and reads again what shows it. */
export const takingBack =
  (
    change: () => Promise<unknown>,
    done: string,
    readAgain: () => unknown,
    /** What a refusal means here, where that is more than its reason says. */
    meaning: (error: unknown) => string | undefined = () => undefined,
  ): TakeBack =>
  async () => {
    try {
      await change();
      return { tone: 'good', text: done };
    } catch (error) {
      const why = meaning(error) ?? messageOf(error, 'The server refused it.');
      return { tone: 'bad', text: `Not undone. ${why}` };
    } finally {
      void readAgain();
    }
  };
