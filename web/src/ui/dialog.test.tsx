// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dialogsWork, mount } from '../testing/mount';
import { FormDialog } from './dialog';
import { TextField } from './field';

const onClose = vi.fn();

const open = (chosen = false) =>
  mount(
    [
      {
        path: '/',
        Component: () => (
          <FormDialog title="New note" wide chosen={chosen} onSubmit={() => undefined} onClose={onClose}>
            <TextField label="Note" defaultValue="before" />
          </FormDialog>
        ),
      },
    ],
    '/',
  );

const dialog = () => screen.findByRole('dialog', { name: 'New note' });
const question = () => screen.queryByRole('dialog', { name: 'Discard what you entered?' });

async function type(value: string): Promise<void> {
  const field = await screen.findByLabelText('Note');
  fireEvent.focus(field);
  fireEvent.input(field, { target: { value } });
}

const pressEscape = async () => fireEvent(await dialog(), new Event('cancel', { cancelable: true }));

async function clickAt(x: number, pressedAt = x): Promise<void> {
  const frame = await dialog();
  fireEvent.pointerDown(frame, { clientX: pressedAt, clientY: pressedAt });
  fireEvent.pointerUp(frame, { clientX: x, clientY: x });
}

beforeEach(() => {
  dialogsWork();
  onClose.mockReset();
});
afterEach(cleanup);

describe('a dialog', () => {
  it('longer than the screen begins at its beginning, and one with a field at its field', async () => {
    const showModal = HTMLDialogElement.prototype.showModal;
    // What browsers do: the first of what can be focused is, and comes in sight.
    HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
      showModal.call(this);
      this.querySelector<HTMLElement>('[data-first]')?.focus();
      this.scrollTop = 300;
    };
    const long = (first: ReactNode) => () => (
      <FormDialog title="New note" onSubmit={() => undefined} onClose={onClose}>
        {first}
      </FormDialog>
    );
    const button = (
      <button type="button" data-first>
        Close
      </button>
    );
    mount([{ path: '/', Component: long(button) }], '/');
    expect((await dialog()).scrollTop).toBe(0);
    expect(document.activeElement).toBe(await dialog());
    cleanup();
    mount([{ path: '/', Component: long(<input aria-label="Note" data-first />) }], '/');
    expect((await dialog()).scrollTop).toBe(300);
    expect(document.activeElement?.tagName).toBe('INPUT');
    HTMLDialogElement.prototype.showModal = showModal;
  });

  it('shows all of a very long name where its heading is pointed at', async () => {
    const title = `Erase ${'Maximiliane '.repeat(16).trim()}`;
    mount(
      [
        {
          path: '/',
          Component: () => (
            <FormDialog title={title} onSubmit={() => undefined} onClose={onClose}>
              Sure?
            </FormDialog>
          ),
        },
      ],
      '/',
    );
    await screen.findByRole('dialog', { name: title });
    expect(screen.getByRole('heading', { name: title }).title).toBe(title);
    cleanup();
    open();
    await dialog();
    expect(screen.getByRole('heading', { name: 'New note' }).title).toBe('');
  });

  it('closes at once where nothing was typed or chosen', async () => {
    open();
    await pressEscape();
    expect(onClose).toHaveBeenCalledTimes(1);
    await clickAt(900);
    expect(onClose).toHaveBeenCalledTimes(2);
    expect(question()).toBeNull();
  });

  it.each([
    ['Escape', pressEscape],
    ['the cross', async () => fireEvent.click(await screen.findByRole('button', { name: 'Close' }))],
    ['a click outside', () => clickAt(900)],
  ])('asks before what was typed is lost by %s', async (_, leave) => {
    open();
    await type('after');
    await leave();
    expect(onClose).not.toHaveBeenCalled();
    fireEvent.click(await screen.findByRole('button', { name: 'Keep editing' }));
    expect(question()).toBeNull();
    await leave();
    fireEvent.click(await screen.findByRole('button', { name: 'Discard' }));
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('asks nothing where the field holds what it held before', async () => {
    open();
    await type('after');
    await type('before');
    await pressEscape();
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('asks before what was chosen by a press is lost', async () => {
    open(true);
    await pressEscape();
    expect(onClose).not.toHaveBeenCalled();
    expect(question()).not.toBeNull();
  });

  it('stays open where a selection ends outside', async () => {
    open();
    await clickAt(900, 0);
    expect(onClose).not.toHaveBeenCalled();
  });
});
