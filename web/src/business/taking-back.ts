import { isPassing, messageOf } from '../http/errors';
import type { TakeBack } from '../ui/undos';

/** Why a change stays as it is, in a sentence: thrown by an undo that looks first. */
export class UndoRefusal extends Error {
  override readonly name = 'UndoRefusal';
}

/** Takes a change back, says `done` or why not, and reads again what shows it. */
export const takingBack =
  (
    change: (idempotencyKey: string) => Promise<unknown>,
    done: string,
    readAgain: () => unknown,
    /** What a refusal means here, where that is more than its reason says. */
    meaning: (error: unknown) => string | undefined = () => undefined,
  ): TakeBack =>
  async (idempotencyKey) => {
    try {
      await change(idempotencyKey);
      return { tone: 'good', text: done };
    } catch (error) {
      const why =
        meaning(error) ??
        (error instanceof UndoRefusal ? error.message : messageOf(error, 'The server refused it.'));
      return { tone: 'bad', text: `Not undone. ${why}`, undecided: isPassing(error) };
    } finally {
      void readAgain();
    }
  };
