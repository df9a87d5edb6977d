import { browserClock } from '../../time/clock';
import { baseUrl, door, session, tabStorage } from '../current';
import { providerAddresses } from './addresses';
import { Attempts } from './attempts';
import { ProviderFlow } from './flow';

export const providerPlaces = providerAddresses(baseUrl, window.location.origin);
export const providerAttempts = new Attempts(tabStorage);

/** This tab's way to Google. */
export const provider = new ProviderFlow({
  clock: browserClock,
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  canDigest: window.isSecureContext,
  attempts: providerAttempts,
  addresses: providerPlaces,
  configuration: door.frontendConfiguration,
  go: (address) => window.location.assign(address),
  hasUser: () => session.state.user !== null,
});
