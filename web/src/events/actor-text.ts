import { actorName } from '../business/actor-name';

/** Who acted, for a list of all businesses: a person whom it can't name stays apart from others by their id's end. */
export function actorText(actor: string, userId: string): string {
  const [kind, id = ''] = actor.split(':');
  const name = actorName(actor, [], userId);
  if (name === 'You') return name;
  if (kind === 'user') return `${name} (…${id.slice(-6)})`;
  return kind === 'service' ? `${name} (${id})` : name || actor;
}
