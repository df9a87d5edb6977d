import { actorName } from '../business/actor-name';

/** What accounts are called, by their ids. */
export type AccountNames = ReadonlyMap<string, string>;

/** What the services are for, in the words of the navigation. */
const PARTS: Readonly<Record<string, string>> = {
  auth: 'accounts',
  'calendar-sync': 'calendars',
  local: 'demo',
  scheduling: 'schedule',
  telemetry: 'calls',
  tenancy: 'salon',
};

/**
 * Who acted, for a list of all businesses: the end of an id tells people whose names are not known, and the agents of
 * salons, apart.
 */
export function actorText(actor: string, userId: string, names: AccountNames): string {
  const [kind, id = ''] = actor.split(':');
  const name = actorName(actor, [], userId);
  if (!name || name === 'You' || !id) return name || actor;
  const known = kind === 'user' ? names.get(id) : undefined;
  return known ?? `${name} (${kind === 'service' ? (PARTS[id] ?? id) : `…${id.slice(-6)}`})`;
}

/** The ids of the people among those who acted, each once and in a fixed order. */
export function peopleOf(actors: readonly string[]): string[] {
  const people = actors.filter((actor) => actor.startsWith('user:')).map((actor) => actor.slice(5));
  return [...new Set(people)].sort();
}
