import { messageOf } from '../http/errors';
import type { TakeBack } from '../ui/undos';

/** Takes a change back, says `done` or why not, and reads again what shows it. */
export const takingBack =
  (change: () => Promise<unknown>, done: string, readAgain: () => unknown): TakeBack =>
  async () => {
    try {
      await change();
      return { tone: 'good', text: done };
    } catch (error) {
      return { tone: 'bad', text: `Not undone. ${messageOf(error, 'The server refused it.')}` };
    } finally {
      void readAgain();
    }
  };
