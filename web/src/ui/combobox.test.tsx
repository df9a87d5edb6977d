// @vitest-environment jsdom
import { cleanup, createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { Combobox } from './combobox';
import { UiProvider } from './provider';

const picked = vi.fn();
const NAMES = ['Ada', 'Adam', 'Bea'];

function Field({ typed = '' }: { typed?: string }) {
  const [text, setText] = useState(typed);
  const found = NAMES.filter((name) => text !== '' && name.toLowerCase().startsWith(text));
  return (
    <Combobox
      label="Customer"
      text={text}
      options={found.map((name) => ({ key: name, text: name }))}
      {...(text && found.length === 0 ? { note: 'None found.' } : {})}
      startsOpen={typed !== ''}
      onText={setText}
      onPick={picked}
    />
  );
}

beforeEach(() => {
  fillJsdomGaps();
  picked.mockReset();
  render(
    <UiProvider nonce="n">
      <Field />
    </UiProvider>,
  );
  field().focus();
});

afterEach(cleanup);

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Customer' });
const type = (value: string) => fireEvent.change(field(), { target: { value } });
/** Presses a key; tells whether the browser does what it does by itself. */
function press(key: string): boolean {
  const event = createEvent.keyDown(field(), { key });
  fireEvent(field(), event);
  return !event.defaultPrevented;
}

async function isOn(name: string) {
  await waitFor(() =>
    expect(field().getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { name }).id),
  );
}

describe('a combobox', () => {
  it('is open from the beginning for a text that was typed before it was there', async () => {
    cleanup();
    render(
      <UiProvider nonce="n">
        <Field typed="ad" />
      </UiProvider>,
    );
    field().focus();
    expect(field().value).toBe('ad');
    expect(field().getAttribute('aria-expanded')).toBe('true');
    expect(screen.getAllByRole('option')).toHaveLength(2);
    await isOn('Ada');
    press('Enter');
    await waitFor(() => expect(picked).toHaveBeenCalledWith('Ada'));
  });

  it('shows what is found, the first one highlighted, and takes it with Enter', async () => {
    expect(field().getAttribute('aria-expanded')).toBe('false');
    type('a');
    await isOn('Ada');
    expect(field().getAttribute('aria-expanded')).toBe('true');
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Ada', 'Adam']);
    expect(press('Enter')).toBe(false);
    await waitFor(() => expect(picked.mock.calls).toEqual([['Ada']]));
    expect(field().value).toBe('a');
  });

  it('highlights the first of what is found next', async () => {
    type('a');
    await isOn('Ada');
    type('adam');
    await isOn('Adam');
    type('b');
    await isOn('Bea');
    press('Enter');
    await waitFor(() => expect(picked.mock.calls).toEqual([['Bea']]));
  });

  it('is worked by arrows, around its ends', async () => {
    type('a');
    await isOn('Ada');
    press('ArrowDown');
    await isOn('Adam');
    press('ArrowDown');
    await isOn('Ada');
    press('ArrowUp');
    await isOn('Adam');
    press('Enter');
    await waitFor(() => expect(picked.mock.calls).toEqual([['Adam']]));
  });

  it('takes what is clicked', async () => {
    type('a');
    fireEvent.click(await screen.findByRole('option', { name: 'Adam' }));
    await waitFor(() => expect(picked.mock.calls).toEqual([['Adam']]));
  });

  it('closes its list on Escape, and nothing else', async () => {
    type('a');
    await isOn('Ada');
    expect(press('Escape')).toBe(false);
    await waitFor(() => expect(screen.queryByRole('option')).toBeNull());
    expect(press('Escape')).toBe(true);
    expect(field().value).toBe('a');
  });

  it('leaves the form around it alone', () => {
    expect(press('Enter')).toBe(false);
    expect(picked).not.toHaveBeenCalled();
  });

  it('says that there is none', async () => {
    type('x');
    expect((await screen.findByRole('status')).textContent).toBe('None found.');
    await waitFor(() => expect(field().getAttribute('aria-expanded')).toBe('true'));
  });

  it('opens nothing where there is nothing to show', async () => {
    fireEvent.click(field());
    await waitFor(() => expect(field().dataset.state).toBe('closed'));
    expect(press('Escape')).toBe(true);
  });
});
