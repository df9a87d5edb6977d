// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useStartOver } from './use-start-over';

it('offers to start over once a stale form has a newer record', () => {
  const reset = vi.fn();
  const opened = { version: 1n };
  const newer = { version: 2n };
  const { result, rerender } = renderHook(({ now }) => useStartOver(opened, now, reset), {
    initialProps: { now: opened },
  });
  rerender({ now: newer });
  expect(result.current.startOver, 'a change of another person alone takes nothing away').toBeUndefined();
  act(() => result.current.onStale());
  act(() => result.current.startOver?.());
  expect(reset).toHaveBeenCalledExactlyOnceWith(newer);
  expect(result.current.read).toBe(newer);
  expect(result.current.startOver).toBeUndefined();
});
