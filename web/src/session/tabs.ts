/** What the tabs of one browser tell each other: they share the cookies, so they share the session. */
export type News = { kind: 'signedIn' } | { kind: 'ended'; end: 'signedOut' | 'again' };

export type Tabs = {
  tell(news: News): void;
  onNews(listener: (news: News) => void): void;
};

/** The other tabs of this browser. A tab does not hear itself. */
export function browserTabs(): Tabs {
  const channel = new BroadcastChannel('session');
  return {
    tell: (news) => channel.postMessage(news),
    onNews: (listener) => channel.addEventListener('message', ({ data }) => listener(data as News)),
  };
}
