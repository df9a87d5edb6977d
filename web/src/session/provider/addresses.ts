import { paths } from '../../paths';

/** Where a provider's sign-in leads, all of it made from the API's base address. */
export type ProviderAddresses = {
  /** Where the door begins its own flow. */
  redirect: string;
  /** Where the provider sends the browser back to. */
  callback: string;
};

const LOCAL_DOOR = 'localhost:8080';

/**
 * A door on localhost:8080 may stand behind a development server, so there the
 * page's own host is the frontend; elsewhere the door serves the page.
 */
export function providerAddresses(apiBaseUrl: string, pageOrigin: string): ProviderAddresses {
  const host = apiBaseUrl.replace(/\/+$/, '').replace(/\/api$/, '');
  const frontend = host.includes(LOCAL_DOOR) ? pageOrigin : host;
  return {
    redirect: `${host}/oauth2/authorization/google`,
    callback: `${frontend}${paths.authCallback}`,
  };
}
