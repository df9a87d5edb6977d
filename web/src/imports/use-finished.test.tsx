// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { ImportState } from '../gen/frontdesk/tenancy/v1/import_pb';
import { useFinished } from './use-finished';

afterEach(cleanup);

/** How often an import is said to have ended that passes through these states. */
function timesFinished(...states: (ImportState | undefined)[]): number {
  const onFinished = vi.fn();
  const [first, ...others] = states;
  const { rerender } = renderHook(({ state }) => useFinished(state, onFinished), {
    initialProps: { state: first },
    wrapper: StrictMode,
  });
  for (const state of others) rerender({ state });
  return onFinished.mock.calls.length;
}

it('tells once that an import has ended, however little of it was seen', () => {
  const { CHECKING, CHECKED, IMPORTING, DONE, CANCELLED } = ImportState;
  expect(timesFinished(undefined, CHECKING, CHECKED, IMPORTING, IMPORTING, DONE, DONE)).toBe(1);
  expect(timesFinished(CHECKED, DONE)).toBe(1);
  expect(timesFinished(IMPORTING, CANCELLED)).toBe(1);
});

it('tells nothing of an import that had ended before', () => {
  expect(timesFinished(undefined, ImportState.DONE, ImportState.DONE)).toBe(0);
  expect(timesFinished(ImportState.CHECKING, ImportState.CHECKED)).toBe(0);
});
