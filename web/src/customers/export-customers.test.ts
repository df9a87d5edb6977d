import { expect, it, vi } from 'vitest';

vi.mock('../session/current', () => ({ api: vi.fn(), session: { state: {} } }));
const { rowsIn } = await import('./export-customers');

it('counts records of a table, of which cells may have several lines', () => {
  expect(rowsIn('name,note\r\nMia,"one\r\ntwo, ""three"""\r\nTom,\r\n')).toBe(3);
  expect(rowsIn('')).toBe(0);
});
