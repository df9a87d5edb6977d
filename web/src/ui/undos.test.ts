import { beforeEach, describe, expect, it } from 'vitest';
import type { ToastAction } from './toasts';
import { type Undone, Undos } from './undos';

const MINUTE = 60_000;
let now = 0;
let said: string[] = [];
let offered: ToastAction | undefined;
const undos = () =>
  new Undos(
    {
      show: (_, text, action) => {
        said.push(text);
        offered = action;
      },
    },
    () => now,
  );
const taking = (text: string) => async (): Promise<Undone> => ({ tone: 'good', text });

beforeEach(() => {
  now = 0;
  said = [];
});

describe('undo', () => {
  it('takes changes back, the latest first, each once', async () => {
    const list = undos();
    list.push(taking('one'));
    list.push(taking('two'));
    await Promise.all([list.undo(), list.undo(), list.undo()]);
    expect(said).toEqual(['two', 'one', 'Nothing to undo from the last ten minutes.']);
  });

  it('of a toast takes back its own change, and not another time', async () => {
    const list = undos();
    const first = list.push(taking('one'));
    list.push(taking('two'));
    first.run();
    first.run();
    await list.undo();
    expect(said).toEqual(['one', 'two']);
  });

  it('of one change, wherever it was made, is not tried by the next step again', async () => {
    const list = undos();
    list.push(taking('one'), 'a');
    list.push(taking('two'), 'b');
    await list.undoOne('a', taking('one, from the server'));
    await list.undoOne('c', taking('of another tab'));
    await list.undo();
    await list.undo();
    expect(said).toEqual(['one', 'of another tab', 'two', 'Nothing to undo from the last ten minutes.']);
  });

  it('waits for the one before it', async () => {
    const list = undos();
    let free = () => {};
    list.push(taking('early'));
    list.push(async () => {
      await new Promise<void>((resolve) => {
        free = resolve;
      });
      return { tone: 'good', text: 'late' };
    });
    const all = [list.undo(), list.undo()];
    await Promise.resolve();
    await Promise.resolve();
    expect(said).toEqual([]);
    free();
    await Promise.all(all);
    expect(said).toEqual(['late', 'early']);
  });

  it('forgets after ten minutes', async () => {
    const list = undos();
    list.push(taking('old'));
    now = 10 * MINUTE;
    await list.undo();
    expect(said).toEqual(['Nothing to undo from the last ten minutes.']);
  });

  it('that decided nothing stays the latest, and is tried again with the same key', async () => {
    const list = undos();
    const keys: string[] = [];
    let reachable = false;
    list.push(taking('early'));
    list.push(async (key) => {
      keys.push(key);
      return reachable
        ? { tone: 'good', text: 'late' }
        : { tone: 'bad', text: 'no network', undecided: true };
    });
    await list.undo();
    await list.undo();
    expect(offered?.label).toBe('Try again');
    reachable = true;
    offered?.run();
    await list.undo();
    expect(said).toEqual(['no network', 'no network', 'late', 'early']);
    expect(offered).toBeUndefined();
    expect(new Set(keys).size).toBe(1);
  });

  it('of another person is not offered again', async () => {
    const list = undos();
    list.push(async () => {
      list.clear();
      return { tone: 'bad', text: 'no network', undecided: true };
    });
    await list.undo();
    expect(offered).toBeUndefined();
  });
});
