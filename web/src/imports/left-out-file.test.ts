import { expect, it, vi } from 'vitest';
import { hasAddress, isErased, leftOutName, leftOutTable } from './left-out-file';

vi.mock('../api/call', () => ({ call: vi.fn() }));

it('has each line with its number, what is wrong and its cells, and no formula', () => {
  const lines = [
    { line: 3, field: 'first_name', fault: 'begins like a formula', cells: ['=SUM(A1)', ''] },
    { line: 7, field: 'phone', fault: 'is not a telephone number', cells: ['Ana'] },
    {
      line: 8,
      field: 'line',
      fault: 'has more cells than the table has columns: “1”',
      cells: ['Ash', 'Ana', '1'],
    },
    { line: 9, field: '', fault: '', cells: [] },
  ];
  expect(leftOutTable(['first_name', 'phone'], lines).split('\r\n')).toEqual([
    '"line_of_the_table","what_is_wrong","first_name","phone"',
    `"3","first name begins like a formula","'=SUM(A1)",""`,
    '"7","phone is not a telephone number","Ana",""',
    '"8","line has more cells than the table has columns: “1”","Ash","Ana","1"',
    '',
  ]);
});

it('is called as the file of which it is a part', () => {
  expect(leftOutName('clients.2026.csv')).toBe('clients.2026-left-out.csv');
  expect(leftOutName('')).toBe('lines-left-out.csv');
});

it('a line has the address of a calendar while it is whole', () => {
  const has = (...cells: string[]) => hasAddress(['name', 'calendar'], { cells });
  expect(has('Ana', 'webcal://example.com/ana?key=x')).toBe(true);
  expect(has('Ana', 'https://example.com')).toBe(true);
  expect([has('Ana', 'https://example.com/…'), has('https://example.com/ana', 'demo'), has()]).toEqual([
    false,
    false,
    false,
  ]);
});

it('a line without a cell is one that was erased', () => {
  expect(isErased({ cells: [] })).toBe(true);
  expect(isErased({ cells: ['', 'Ana'] })).toBe(false);
});
