// @vitest-environment jsdom
import { cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { modals } from './modals';
import { useShortcuts } from './use-shortcuts';

const [undo, today] = [vi.fn(), vi.fn()];

function Page() {
  useShortcuts({ 'Ctrl+z': { what: 'Undo', run: undo, inDrawer: true }, t: { what: 'Today', run: today } });
  return <input aria-label="Name" />;
}

const opened: (() => void)[] = [];

function open(place: 'middle' | 'right') {
  const dialog = document.createElement('dialog');
  dialog.open = true;
  document.body.append(dialog);
  const closed = modals.opened(dialog, place);
  opened.push(() => {
    dialog.remove();
    closed();
  });
}

function press() {
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
  fireEvent.keyDown(document.body, { key: 't' });
  return [undo, today].map(({ mock }) => mock.calls.length);
}

afterEach(() => {
  cleanup();
  for (const close of opened.splice(0)) close();
  undo.mockReset();
  today.mockReset();
});

describe('the shortcuts of a page', () => {
  it('work on the page', () => {
    render(<Page />);
    expect(press()).toEqual([1, 1]);
  });

  it('leave letters to a field', () => {
    const { getByLabelText } = render(<Page />);
    fireEvent.keyDown(getByLabelText('Name'), { key: 't' });
    expect(today).not.toHaveBeenCalled();
  });

  it('work in a drawer only where they say so, and in no dialog in front of it', () => {
    render(<Page />);
    open('right');
    expect(press()).toEqual([1, 0]);
    open('middle');
    expect(press()).toEqual([1, 0]);
  });
});
