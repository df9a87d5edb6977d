// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useFreePlace } from './use-free-place';

const SHOWN = ['Saved.'];
const [TOP, HEIGHT] = [72, 60];
/** One below the other without a gap, down to the foot of the window. */
const FIELDS = ['Name', 'Phone', 'E-mail', 'Street', 'Town', 'Country', 'Notes', 'Source', 'Since'];
const FIELD_HEIGHT = 80;

function Form() {
  const region = useRef<HTMLElement>(null);
  const shift = useFreePlace(region, 'top', SHOWN);
  return (
    <>
      <section ref={region} aria-label="Notifications" data-top={TOP + shift} data-height={HEIGHT} />
      {FIELDS.map((name, row) => (
        <input key={name} aria-label={name} data-top={60 + row * FIELD_HEIGHT} data-height={FIELD_HEIGHT} />
      ))}
    </>
  );
}

const box = (name: string) => {
  const { top, bottom } = screen.getByLabelText(name).getBoundingClientRect();
  return { top, bottom };
};
const isCovered = (name: string) =>
  box(name).top < box('Notifications').bottom && box('Notifications').top < box(name).bottom;

beforeEach(() => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function rect(this: Element) {
    const { top = '0', height = '0' } = (this as HTMLElement).dataset;
    const [from, to] = [Number(top), Number(top) + Number(height)];
    return { top: from, right: 374, bottom: to, left: 16 } as DOMRect;
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('leaves the field that has the focus in sight where everything is taken', async () => {
  render(<Form />);
  expect(isCovered('Name')).toBe(true);
  for (const name of ['Name', 'Phone', 'E-mail', 'Name']) {
    act(() => screen.getByLabelText(name).focus());
    await waitFor(() => expect([name, isCovered(name)]).toEqual([name, false]), { timeout: 15_000 });
  }
});
