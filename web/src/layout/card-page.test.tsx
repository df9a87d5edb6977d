// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { mount } from '../testing/mount';
import { CardPage } from './card-page';

const shown = (at: string) =>
  mount([{ path: '*', element: <CardPage title="A page">What it says.</CardPage> }], at);
const footing = () =>
  screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);

afterEach(cleanup);

it('a page outside the workplace leads to what is kept of people', () => {
  shown('/login');
  expect(footing()).toEqual([['Privacy', '/privacy']]);
});

it('the page of what is kept leads on to the product, not to itself', () => {
  shown('/privacy');
  expect(footing()).toEqual([['Go to Frontdesk', '/']]);
});
