import { testsOf } from '../evidence';
import {
  addresses,
  authSignIn,
  google,
  profile,
  profiles,
  refresh,
  returning,
  roleChecks,
  roles,
  router,
  setup,
  start,
  toGoogle,
} from './files';

export const panelAnswer = testsOf('services/local/tests/it/panel.rs')(
  'the_panel_is_answered_with_these_fields_and_no_others',
);

export const production = profile('production_is_as_strict_as_the_specification_says');
export const development = profile('development_is_as_strict_as_the_specification_says');
export const underTest = profile('test_is_as_strict_as_the_specification_says');
export const openToAll = addresses('open to everyone, as %s, asks for no sign-in');
export const behindSignIn = addresses(
  'behind the sign-in, as %s, leads a stranger there and leaves no way back to nothing',
);
export const ofBusiness = addresses('of a business, as its %s, is shown to every employee');
export const adminAlone = addresses('is for ADMIN alone, on every page of it');

export const administered = setup(
  'stands on the home of administrators and among all businesses until it is ready',
);
export const guestRefused = roles('a guest is refused at /{businessId}/%s, which shows people’s data');
export const adminRoutes = router('every address of the admin area but the component library requires ADMIN');
export const signedInOnly = router(
  'addresses of a business and of a person’s own stand behind the sign-in, for any role',
);
export const lifetimes = [
  ...profiles('access_and_refresh_tokens_live_as_long_as_the_profile_says'),
  ...authSignIn('lifetimes_are_those_of_the_environments_security_profile'),
];
export const signInsBlocked = profiles(
  'so_many_failures_in_a_quarter_of_an_hour_block_for_as_long_as_the_profile_says',
);
export const recordShown = profiles('a_record_shows_as_many_events_and_as_old_ones_as_the_profile_says');
export const unlimited = profiles('under_test_no_number_of_failures_blocks');

export const returnsWrong = returning(
  'reached with “%s” says what is wrong',
  'reached with another state, or without the verifier, says what is wrong',
);
export const withGoogle = google('creates an account at the first sign-in, and finds it at the next');
export const namesThePerson = start(
  'is named by their e-mail after signing in, and by their token after a silent refresh',
  'is read from the server when the token has no claims, and is a placeholder when that fails',
);
export const ends = start(
  'ends with the person where the refresh cookie is good',
  'ends without a user when the server refuses, fails or is out of reach',
);
export const stopsLoading = start(
  'stops loading after 12 s although the refresh still runs',
  'stops loading after 15 s whatever happens',
);
export const refreshesBlocked = refresh(
  'are blocked after three for 2 s, doubled by each one more, until a sign-in',
);
export const renews = refresh('begins so many minutes before the token ends, as the door told the page: %s');
export const expires = refresh('ends the session when no new token can be had, and tells the user');
export const sentAgain = refresh(
  'is sent again with a new one, which all that were refused have in common',
  'is sent again once, not for ever',
);
export const codeRequest = toGoogle(
  'is an authorization-code request with PKCE, state and nonce, and the page keeps their secrets',
);
export const doorsFlow = toGoogle(
  'is the door’s where the browser keeps nothing for the page, its host being the API’s without /api',
);
export const buttonWaits = toGoogle(
  'the button waits, for 2 s after the redirect did not happen',
  'the button is free after 8 s although the configuration never came',
);
export const configurationFails = toGoogle('because the configuration is answered with %s says so');
export const noClient = toGoogle('because the door is out of reach, or names no client, says so');
export const toldAs = roleChecks('told as %s is %s, goes where that may and not to the admin area');
