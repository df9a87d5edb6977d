import { queryOptions } from '@tanstack/react-query';
import { rpcQuery } from '../api/query';
import { ConsentService, type ListConsentsResponse } from '../gen/frontdesk/calendarsync/v1/consent_pb';
import { ApiError } from '../http/errors';
import { api } from '../session/current';

/** A calendar in the person's own account. */
export type PersonCalendar = { id: string; kind: string; name: string };

/** What the person lets Frontdesk see of their account. */
export type PersonCalendars = { authorizationRequired: true } | { calendars: PersonCalendar[] };

/** While appointments are taken out, a person watches; while that fails, a person is waited for. */
const TAKEN_OUT_MS = 1_000;
const STUCK_MS = 10_000;

function endingInterval({ state }: { state: { data?: ListConsentsResponse | undefined } }) {
  const cleanups = state.data?.consents.flatMap(({ cleanup }) => cleanup ?? []) ?? [];
  if (cleanups.length === 0) return false;
  return cleanups.every(({ fault }) => fault) ? STUCK_MS : TAKEN_OUT_MS;
}

/** What may be asked for here, and what the person decided. */
export const consentsQuery = () => ({
  ...rpcQuery(ConsentService.method.listConsents, {}),
  refetchInterval: endingInterval,
});

export const personCalendarsQuery = () =>
  queryOptions({
    queryKey: ['me/calendars'],
    queryFn: async ({ signal }): Promise<PersonCalendars> => {
      try {
        return (await api({ verb: 'GET', path: '/me/calendars', signal })) as PersonCalendars;
      } catch (error) {
        if (isAuthorizationRequired(error)) return { authorizationRequired: true };
        throw error;
      }
    },
  });

const isAuthorizationRequired = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.failure.kind === 'refused' &&
  error.failure.authorizationRequired === true;
