// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { CallSchema } from '../gen/frontdesk/telemetry/v1/call_pb';
import { UiProvider } from '../ui/provider';

const line = vi.hoisted(() => ({ calls: [] as unknown[], matched: [] as { name: string }[] }));

vi.mock('../session/current', () => ({ api: undefined, session: { onEnd: () => () => undefined } }));
vi.mock('./use-caller', () => ({ useMatched: () => line.matched }));
vi.mock('../ui/use-width', () => ({ useScarce: () => true }));
vi.mock('./use-open-calls', () => ({
  CALLS_BUTTON: 'calls',
  countText: (live: unknown[]) => `${live.length} on the line`,
  useFolded: () => [true, vi.fn()],
  useOpenCalls: () => line.calls,
}));

const { CallsButton } = await import('./calls-button');

const call = (fromNumber: string) => create(CallSchema, { id: fromNumber, fromNumber });

function shown(calls: unknown[], ...names: string[]) {
  Object.assign(line, { calls, matched: names.map((name) => ({ name })) });
  render(
    <UiProvider nonce={undefined}>
      <CallsButton businessId="b" />
    </UiProvider>,
  );
  return screen.queryByRole('button');
}

afterEach(cleanup);

it('is called by the caller whom it shows', () => {
  const button = shown([call('447700900123')], 'Ana Sousa');
  expect(button?.textContent).toBe('Ana Sousa');
  expect(button?.getAttribute('aria-label')).toBe('1 on the line: Ana Sousa');
});

it('names the number where several customers have it', () => {
  const button = shown([call('447700900123')], 'Ana Sousa', 'Rui Sousa');
  expect(button?.getAttribute('aria-label')).toContain(button?.textContent);
  expect(button?.textContent).not.toContain('Sousa');
});

it('is absent while no one is on the line', () => {
  expect(shown([])).toBeNull();
});
