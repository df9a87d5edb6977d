// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { Modals } from './modals';

test('the dialog that was opened last is in front, whichever is closed', () => {
  const modals = new Modals();
  const [drawer, question] = [document.createElement('dialog'), document.createElement('dialog')];
  const told = vi.fn();
  const leave = modals.subscribe(told);
  expect(modals.front).toBeUndefined();
  const closeDrawer = modals.opened(drawer, 'right');
  expect(modals.front).toEqual({ element: drawer, place: 'right' });
  const closeQuestion = modals.opened(question);
  expect(modals.front).toEqual({ element: question, place: 'middle' });
  closeDrawer();
  expect(modals.front?.element).toBe(question);
  closeQuestion();
  expect(modals.front).toBeUndefined();
  expect(told).toHaveBeenCalledTimes(4);
  leave();
  modals.opened(drawer);
  expect(told).toHaveBeenCalledTimes(4);
});
