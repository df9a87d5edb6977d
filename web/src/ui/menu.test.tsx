// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Menu, MenuItem } from './menu';
import { UiProvider } from './provider';

const chosen = vi.fn();

beforeEach(() => {
  chosen.mockReset();
  render(
    <UiProvider nonce="n">
      <Menu label="Account" trigger="Open">
        {(close) =>
          ['Light', 'Dark', 'Sign out'].map((name) => (
            <MenuItem
              key={name}
              role="menuitem"
              onClick={() => {
                chosen(name);
                close();
              }}
            >
              {name}
            </MenuItem>
          ))
        }
      </Menu>
    </UiProvider>,
  );
});

afterEach(cleanup);

const button = () => screen.getByRole('button', { name: 'Account' });
const focused = () => document.activeElement?.textContent;
const press = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key });

describe('a menu', () => {
  it('opens on its first item and says so', () => {
    expect(button().getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(button());
    expect(button().getAttribute('aria-expanded')).toBe('true');
    expect(focused()).toBe('Light');
  });

  it('is worked by arrows, Home, End and letters', () => {
    fireEvent.keyDown(button(), { key: 'ArrowDown' });
    press('ArrowDown');
    expect(focused()).toBe('Dark');
    press('End');
    expect(focused()).toBe('Sign out');
    press('ArrowDown');
    expect(focused()).toBe('Light');
    press('ArrowUp');
    expect(focused()).toBe('Sign out');
    press('d');
    expect(focused()).toBe('Dark');
    press('Home');
    expect(focused()).toBe('Light');
  });

  it('closes on Escape and gives the focus back', () => {
    fireEvent.click(button());
    press('Escape');
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(button());
  });

  it('closes when something else is pressed', () => {
    fireEvent.click(button());
    fireEvent.pointerDown(document.body);
    expect(screen.queryByRole('menu')).toBeNull();
  });

  it('does what was chosen, once', () => {
    fireEvent.click(button());
    fireEvent.click(screen.getByRole('menuitem', { name: 'Dark' }));
    expect(chosen.mock.calls).toEqual([['Dark']]);
    expect(screen.queryByRole('menu')).toBeNull();
  });

  it('puts the nonce on its styles', () => {
    const styles = [...document.head.querySelectorAll('style')];
    expect(styles.length).toBeGreaterThan(0);
    expect(styles.every((style) => style.nonce === 'n')).toBe(true);
  });
});
