import { vi } from 'vitest';

/** For what observes sizes: jsdom lays nothing out, so nothing ever changes its size. */
export function withoutLayout(): void {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
}
