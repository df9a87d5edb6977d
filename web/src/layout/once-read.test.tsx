// @vitest-environment jsdom
import type { UseQueryResult } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { OnceRead } from './once-read';

afterEach(cleanup);

const query = (isLoading: boolean, failureCount = 0) =>
  ({ isLoading, failureCount }) as UseQueryResult<unknown>;

const parts = (...queries: UseQueryResult<unknown>[]) => (
  <OnceRead queries={queries} skeleton="placeholder">
    parts
  </OnceRead>
);

it('draws nothing below a list that is still being read', () => {
  const { rerender } = render(parts(query(false), query(true)));
  expect(screen.getByText('placeholder')).toBeTruthy();
  rerender(parts(query(false), query(false)));
  expect(screen.getByText('parts')).toBeTruthy();
});

it('keeps no part waiting for a read that fails', () => {
  render(parts(query(false), query(true, 1)));
  expect(screen.getByText('parts')).toBeTruthy();
});

it('stays drawn while something else is read', () => {
  const { rerender } = render(parts(query(false)));
  rerender(parts(query(true)));
  expect(screen.getByText('parts')).toBeTruthy();
});
