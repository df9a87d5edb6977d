/** Messages between the tabs of a browser, which share the cookies and so the session. */
export type News = { kind: 'signedIn' } | { kind: 'ended'; end: 'signedOut' | 'again' };

export type Tabs = {
  tell(news: News): void;
  onNews(listener: (news: News) => void): void;
  /**
   * Runs one request at a time over all tabs, so that the cookies of an answer are
   * set before the next request sends them.
   */
  alone<T>(request: () => Promise<T>): Promise<T>;
};

/** The other tabs of this browser. A tab does not hear itself. */
export function browserTabs(): Tabs {
  const channel = tabsChannel();
  return {
    tell: (news) => channel.postMessage(news),
    onNews: (listener) => channel.addEventListener('message', ({ data }) => listener(data as News)),
    alone,
  };
}

/** The channel between the tabs. */
export const tabsChannel = () => new BroadcastChannel('session');

/** One tab at a time. Without a secure context there are no locks: there a refused refresh decides. */
export function alone<T>(request: () => Promise<T>): Promise<T> {
  return navigator.locks?.request('session', request) ?? request();
}
