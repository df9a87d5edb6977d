// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { mount } from '../testing/mount';
import { useSearch } from './use-search';
import { useSearchText } from './use-search-text';

afterEach(cleanup);

const put = (name: string) => (search: URLSearchParams) => {
  search.set(name, '1');
  return search;
};

/** Two parts of a page, each with its own hold on the address. */
function Page() {
  return (
    <>
      <Part name="low" />
      <Part name="archived" />
      <Words />
    </>
  );
}

function Part({ name }: { name: string }) {
  const [, change] = useSearch();
  return (
    <button type="button" onClick={() => change(put(name), { replace: true })}>
      {name}
    </button>
  );
}

function Words() {
  const { text, setText } = useSearchText();
  return <input value={text} onChange={(event) => setText(event.currentTarget.value)} />;
}

/** Loaders that wait, as those of pages do: the address changes once they are done. */
function shown(at = '/list') {
  const waiting: (() => void)[] = [];
  const loader = () => new Promise<null>((resolve) => waiting.push(() => resolve(null)));
  const { router } = mount(
    [{ path: '/list', Component: Page, loader, shouldRevalidate: () => true, HydrateFallback: () => null }],
    at,
  );
  const arrive = () =>
    act(async () => {
      for (const go of waiting.splice(0)) go();
    });
  const arrivedAt = (search: string) =>
    waitFor(async () => {
      await arrive();
      expect(router.state.location.search).toBe(search);
    });
  return { router, arrive, arrivedAt };
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

it('keeps every one of several changes that are faster than the page', async () => {
  const { arrive, arrivedAt } = shown('/list?supplier=2');
  await arrive();
  press('low');
  press('archived');
  await arrivedAt('?supplier=2&low=1&archived=1');
});

it('keeps a filter that is chosen while a word is typed', async () => {
  const { router, arrive, arrivedAt } = shown();
  await arrive();
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'foil' } });
  press('low');
  await waitFor(() => expect(router.state.navigation.location?.search).toBe('?low=1&q=foil'));
  await arrivedAt('?low=1&q=foil');
});

it('goes on from where the page is after the way back', async () => {
  const { router, arrive, arrivedAt } = shown();
  await arrive();
  await act(async () => void router.navigate('/list?q=cut'));
  await arrivedAt('?q=cut');
  press('low');
  await act(async () => void router.navigate(-1));
  await arrivedAt('');
  press('archived');
  await arrivedAt('?archived=1');
});
