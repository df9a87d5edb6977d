import { CardPage } from '../layout/card-page';
import { runtime } from '../runtime';
import { useSession } from '../session/use-session';
import { Fact, Facts } from '../ui/facts';

/** What this page was told of its installation, and what it made of it. Never a token. */
export function Component() {
  const { user, loading, refreshing, complete } = useSession();
  const { environment, version, apiBaseUrl, webSocketUrl } = runtime();
  const at = (path: string) => new URL(path, window.location.origin).href;
  return (
    <CardPage title="Debug" lead="How this page sees its installation.">
      <Facts>
        <Fact name="Environment">{environment}</Fact>
        <Fact name="Version">{version}</Fact>
        <Fact name="API">{at(apiBaseUrl)}</Fact>
        <Fact name="Live socket">{at(webSocketUrl).replace(/^http/, 'ws')}</Fact>
        <Fact name="Signed in as">{user ? `${user.email} (${user.role})` : 'No one'}</Fact>
        <Fact name="Session">
          {loading ? 'Loading' : refreshing ? 'Refreshing' : complete ? 'Known' : 'Unknown'}
        </Fact>
      </Facts>
    </CardPage>
  );
}
