import { vi } from 'vitest';

/** What Chakra's parts ask a browser for and jsdom lacks. It lays nothing out: no size ever changes. */
export function fillJsdomGaps(): void {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('CSS', { escape: (text: string) => text.replace(/[^\w-]/g, '\\$&') });
}
