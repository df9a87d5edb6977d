import type { Page } from 'playwright-core';

/** Before a page loads: resolves once it is told of what changes from then on. */
export function followed(page: Page): Promise<void> {
  return new Promise((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).startsWith('{"ready"')) resolve();
      }),
    );
  });
}
