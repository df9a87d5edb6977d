// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Column } from '../day/columns';

const screen = vi.hoisted(() => ({ wide: true, compact: false }));
vi.mock('../ui/use-width', () => ({ useWide: () => screen.wide, useCompact: () => screen.compact }));

const { useDrawnColumns } = await import('./use-drawn-columns');

const column = (employeeName: string, working: Column['working']): Column => ({
  key: employeeName,
  day: '2026-06-02',
  employeeId: employeeName,
  employeeName,
  own: false,
  working,
  hasOwnHours: false,
  shades: [],
  cards: [],
});
const columns = [column('Mia', [{ from: 540, to: 1020 }]), column('Sofia', [])];

function drawnOn(wide: boolean, compact: boolean, beside: boolean) {
  Object.assign(screen, { wide, compact });
  const { result } = renderHook(() =>
    useDrawnColumns({ columns, employeeId: '', role: 'OWNER', whose: undefined, hasOwn: false, beside }),
  );
  const names = () => result.current.drawn.map(({ employeeName }) => employeeName);
  return { names, absent: result.current.absent, show: () => act(() => result.current.setAbsentShown(true)) };
}

afterEach(cleanup);

describe('an employee who does not work', () => {
  it.each([
    ['a tablet', true, true, false],
    ['a tablet with a panel', true, true, true],
    ['a desktop with a panel', true, false, true],
  ])('is left out on %s, until asked for', (_, wide, compact, beside) => {
    const { names, absent, show } = drawnOn(wide, compact, beside);
    expect(absent).toEqual(['Sofia']);
    expect(names()).toEqual(['Mia']);
    show();
    expect(names()).toEqual(['Mia', 'Sofia']);
  });

  it.each([
    ['a desktop', true, false],
    ['a phone, whatever panel its address names', false, true],
  ])('has their column on %s', (_, wide, beside) => {
    const { names, absent } = drawnOn(wide, false, beside);
    expect(absent).toEqual([]);
    expect(names()).toEqual(['Mia', 'Sofia']);
  });
});
