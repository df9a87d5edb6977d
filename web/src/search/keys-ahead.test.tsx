// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { KeysAhead } from './keys-ahead';

afterEach(cleanup);

function Typed({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  return (
    <>
      <p>{`“${text}”`}</p>
      <KeysAhead onText={setText} onClose={onClose} />
    </>
  );
}

it('letters typed before their field is there are kept, and are no shortcuts', () => {
  const shortcut = vi.fn();
  document.addEventListener('keydown', shortcut);
  const onClose = vi.fn();
  render(<Typed onClose={onClose} />);
  for (const key of ['S', 'i', 'c', 'Backspace', 'l', ' ', '2', 'Shift'])
    fireEvent.keyDown(document.body, { key });
  expect(screen.getByText('“Sil 2”')).toBeTruthy();
  expect(shortcut.mock.calls.map(([{ key }]) => key)).toEqual(['Shift']);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(onClose).toHaveBeenCalledOnce();
  cleanup();
  fireEvent.keyDown(document.body, { key: 'x' });
  expect(shortcut).toHaveBeenCalledTimes(2);
  document.removeEventListener('keydown', shortcut);
});
