// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { Menu, MenuItem } from './menu';
import { UiProvider } from './provider';

const chosen = vi.fn();

fillJsdomGaps();

beforeEach(() => {
  chosen.mockReset();
  render(
    <UiProvider nonce="n">
      <Menu label="Account" trigger="Open">
        {['Light', 'Dark', 'Sign out'].map((name) => (
          <MenuItem key={name} value={name} onPick={() => chosen(name)}>
            {name}
          </MenuItem>
        ))}
      </Menu>
    </UiProvider>,
  );
});

afterEach(cleanup);

const button = () => screen.getByRole('button', { name: 'Account' });
const menu = () => screen.findByRole('menu', { name: 'Account' });
const item = (name: string) => screen.findByRole('menuitem', { name });
const press = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key });

/** The menu has the focus, and says which of its items the keys are about. */
async function isOn(name: string) {
  const [open, current] = [await menu(), await item(name)];
  await waitFor(() => {
    expect(document.activeElement).toBe(open);
    expect(open.getAttribute('aria-activedescendant')).toBe(current.id);
  });
}

describe('a menu', () => {
  it('opens on its first item and says so', async () => {
    expect(button().getAttribute('aria-haspopup')).toBe('menu');
    expect(button().getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(button());
    await isOn('Light');
    expect(button().getAttribute('aria-expanded')).toBe('true');
  });

  it('is worked by arrows, Home, End and letters', async () => {
    fireEvent.keyDown(button(), { key: 'ArrowDown' });
    await isOn('Light');
    press('ArrowDown');
    await isOn('Dark');
    press('End');
    await isOn('Sign out');
    press('ArrowDown');
    await isOn('Light');
    press('ArrowUp');
    await isOn('Sign out');
    press('d');
    await isOn('Dark');
    press('Home');
    await isOn('Light');
  });

  it('closes on Escape and gives the focus back', async () => {
    fireEvent.click(button());
    await isOn('Light');
    press('Escape');
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    expect(document.activeElement).toBe(button());
  });

  it('opens on its first item every time', async () => {
    fireEvent.click(button());
    await isOn('Light');
    press('End');
    await isOn('Sign out');
    press('Escape');
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    // The focus comes back a frame later.
    await waitFor(() => expect(document.activeElement).toBe(button()));
    press('ArrowDown');
    await isOn('Light');
  });

  it('closes when something else is pressed', async () => {
    fireEvent.click(button());
    await isOn('Light');
    fireEvent.pointerDown(document.body);
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  });

  it('does what was clicked, once, with no pointer before', async () => {
    fireEvent.click(button());
    fireEvent.click(await item('Dark'));
    expect(document.activeElement).toBe(button());
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    expect(chosen.mock.calls).toEqual([['Dark']]);
  });

  it('does what Enter is pressed on, once', async () => {
    fireEvent.click(button());
    await isOn('Light');
    press('ArrowDown');
    await isOn('Dark');
    press('Enter');
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    expect(chosen.mock.calls).toEqual([['Dark']]);
  });

  it('puts the nonce on its styles', async () => {
    fireEvent.click(button());
    await menu();
    const styles = [...document.head.querySelectorAll('style')];
    expect(styles.length).toBeGreaterThan(0);
    expect(styles.every((style) => style.nonce === 'n')).toBe(true);
  });
});
