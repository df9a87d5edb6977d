import { actorName } from '../business/actor-name';

/**
 * Who acted, for a list of all businesses: the end of an id tells people whose names are not known, and the agents of
 * salons, apart.
 */
export function actorText(actor: string, userId: string): string {
  const [kind, id = ''] = actor.split(':');
  const name = actorName(actor, [], userId);
  if (!name || name === 'You' || !id) return name || actor;
  return `${name} (${kind === 'service' ? id : `…${id.slice(-6)}`})`;
}
