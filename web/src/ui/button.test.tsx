// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { mount } from '../testing/mount';
import { Button } from './button';

afterEach(cleanup);

it('takes no second press while it is loading, sends no form, and keeps the focus', () => {
  const press = vi.fn();
  const submit = vi.fn((event: Event) => event.preventDefault());
  mount(
    [
      {
        path: '/',
        element: (
          <form ref={(form) => form?.addEventListener('submit', submit)}>
            <Button type="submit" loading onClick={press}>
              Save
            </Button>
          </form>
        ),
      },
    ],
    '/',
  );
  const button = screen.getByRole('button', { name: 'Save' });
  button.focus();
  fireEvent.click(button);
  expect(press).not.toHaveBeenCalled();
  expect(submit).not.toHaveBeenCalled();
  expect(button.getAttribute('aria-disabled')).toBe('true');
  // A disabled button would lose it.
  expect(button).toHaveProperty('disabled', false);
  expect(document.activeElement).toBe(button);
});

it('sends its form once it is loaded', () => {
  const submit = vi.fn((event: Event) => event.preventDefault());
  mount(
    [
      {
        path: '/',
        element: (
          <form ref={(form) => form?.addEventListener('submit', submit)}>
            <Button type="submit">Save</Button>
          </form>
        ),
      },
    ],
    '/',
  );
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(submit).toHaveBeenCalledTimes(1);
});
