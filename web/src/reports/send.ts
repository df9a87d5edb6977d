import type { Outgoing } from '../http/transport';
import { api, transport } from '../session/current';

/**
 * Sends what a page reports, as any call of its person. A page that is hidden may not live long enough for a token to be
 * renewed: its report is sent as it is.
 */
export function send(report: Pick<Outgoing, 'path' | 'body'>): Promise<unknown> {
  const request: Outgoing = { verb: 'POST', keepalive: true, untraced: true, ...report };
  return document.visibilityState === 'hidden' ? transport(request) : api(request);
}
