import { runtime } from '../runtime';
import { minutesText } from '../time/zoned';

/** What came of a check. */
export type Checked = { state: 'good' | 'warn' | 'bad'; text: string };

/** An answer later than this is slow. */
const SLOW_MS = 1000;
const PATIENCE_MS = 10_000;
/** A sign-in survives a clock that is wrong by so much; shown times do not. */
const CLOCK_TOLERANCE_MS = 5_000;
const CLOCK_LIMIT_MS = 60_000;

/** Asks the server for what anyone may read, and says how long that took. */
export async function checkServer(): Promise<Checked> {
  const began = performance.now();
  try {
    const address = `${runtime().apiBaseUrl}/config/frontend`;
    const answer = await fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!answer.ok) return { state: 'bad', text: `It answered with an error, ${answer.status}.` };
  } catch {
    return { state: 'bad', text: 'No answer. Check the connection, and whether Frontdesk is running.' };
  }
  return answeredIn(performance.now() - began);
}

/** A duration as the answer's verdict. */
export function answeredIn(ms: number): Checked {
  const text = `Answered in ${Math.round(ms)} ms`;
  return ms > SLOW_MS ? { state: 'warn', text: `${text}, which is slow.` } : { state: 'good', text };
}

/** Opens the live socket and closes it again. Without a session it stays open for seconds only. */
export function checkSocket(): Promise<Checked> {
  return new Promise((resolve) => {
    const address = new URL(runtime().webSocketUrl, window.location.origin).href.replace(/^http/, 'ws');
    const began = performance.now();
    let socket: WebSocket;
    try {
      socket = new WebSocket(address);
    } catch {
      resolve({
        state: 'bad',
        text: 'It can’t be opened. Screens are read again every half minute instead.',
      });
      return;
    }
    const end = (checked: Checked) => {
      clearTimeout(timer);
      socket.onopen = socket.onerror = null;
      socket.close();
      resolve(checked);
    };
    const timer = setTimeout(
      () => end({ state: 'bad', text: 'No answer. A proxy may keep it from being opened.' }),
      PATIENCE_MS,
    );
    socket.onopen = () =>
      end({ state: 'good', text: `Opened in ${Math.round(performance.now() - began)} ms` });
    socket.onerror = () =>
      end({ state: 'bad', text: 'It can’t be opened. Screens are read again every half minute instead.' });
  });
}

/** Compares this device’s clock with the server’s, which writes its time on every answer. */
export async function checkClock(): Promise<Checked> {
  const began = Date.now();
  try {
    const answer = await fetch('/', {
      method: 'HEAD',
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const told = Date.parse(answer.headers.get('date') ?? '');
    if (Number.isNaN(told)) return { state: 'warn', text: 'The server did not say what time it is.' };
    // It was written about half-way, and its seconds are whole.
    return offBy((began + Date.now()) / 2 - (told + 500));
  } catch {
    return { state: 'bad', text: 'The server’s time can’t be read.' };
  }
}

/** How wrong a clock is that goes ahead by so much. */
export function offBy(ms: number): Checked {
  const seconds = Math.round(Math.abs(ms) / 1000);
  // Many seconds are read as minutes and hours.
  const amount = seconds < 120 ? `${seconds} seconds` : minutesText(Math.round(seconds / 60));
  const text = `${amount} ${ms > 0 ? 'ahead of' : 'behind'} the server’s`;
  if (Math.abs(ms) <= CLOCK_TOLERANCE_MS) return { state: 'good', text: 'As the server’s' };
  if (Math.abs(ms) <= CLOCK_LIMIT_MS) return { state: 'warn', text: `${text}. Set it by the network.` };
  return { state: 'bad', text: `${text}. Signing in may fail: set it by the network.` };
}

/** Whether the browser keeps what a session needs. */
export function checkStorage(): Checked {
  if (!navigator.cookieEnabled)
    return { state: 'bad', text: 'Cookies are blocked: no one can stay signed in here.' };
  try {
    localStorage.setItem('check', '1');
    localStorage.removeItem('check');
    return { state: 'good', text: 'Cookies and storage are kept' };
  } catch {
    return { state: 'warn', text: 'Storage is blocked: pages come more slowly after a reload.' };
  }
}
