/** What the tabs of one browser tell each other: they share the cookies, so they share the session. */
export type News = { kind: 'signedIn' } | { kind: 'ended'; end: 'signedOut' | 'again' };

export type Tabs = {
  tell(news: News): void;
  onNews(listener: (news: News) => void): void;
  /**
   * Runs one request after the other, whichever tab it is of: the cookies of an
   * answer are in their place before the next request takes them along.
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

/** Where the tabs hear each other. */
export const tabsChannel = () => new BroadcastChannel('session');

/** One tab after the other. A page without a secure context has no locks: there a refused refresh decides. */
export function alone<T>(request: () => Promise<T>): Promise<T> {
  return navigator.locks?.request('session', request) ?? request();
}
