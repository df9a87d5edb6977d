import type { Page } from '@playwright/test';

/** Call before a page loads: resolves once its live socket is subscribed. */
export function followed(page: Page): Promise<void> {
  return new Promise((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).startsWith('{"ready"')) resolve();
      }),
    );
  });
}
