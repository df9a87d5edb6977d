import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { runtime } from '../runtime';
import { browserClock } from '../session/clock';
import { session } from '../session/current';
import { LiveSocket, type LiveStatus, type Wire } from './live-socket';
import { readAgain } from './topics';

let status: LiveStatus = 'off';
const listeners = new Set<() => void>();

function report(next: LiveStatus): void {
  status = next;
  for (const listener of listeners) listener();
}

function socketAddress(): string {
  const address = new URL(runtime().webSocketUrl, window.location.href);
  address.protocol = address.protocol.replace('http', 'ws');
  return address.href;
}

function createSocket(queries: QueryClient): LiveSocket {
  return new LiveSocket({
    open: () => new WebSocket(socketAddress()) as unknown as Wire,
    clock: browserClock,
    random: Math.random,
    token: () => session.token,
    renew: () => session.renew(),
    onChanged: (change) => void readAgain(queries, change),
    onReset: () => void queries.invalidateQueries(),
    onStatus: report,
  });
}

let socket: LiveSocket | undefined;

/** Follows these businesses for as long as the screen is up and somebody is signed in. */
export function useLive(queries: QueryClient, businessIds: readonly string[], signedIn: boolean): void {
  const ids = businessIds.join();
  useEffect(() => {
    socket ??= createSocket(queries);
    socket.follow(signedIn && ids ? ids.split(',') : []);
  }, [queries, ids, signedIn]);

  useEffect(() => {
    const forgetToken = session.onToken(() => socket?.authenticate());
    const online = () => socket?.reconnectNow();
    window.addEventListener('online', online);
    return () => {
      forgetToken();
      window.removeEventListener('online', online);
      socket?.stop();
    };
  }, []);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** How the live socket fares. */
export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(subscribe, () => status);
}
