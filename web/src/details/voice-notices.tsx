import { useQuery } from '@tanstack/react-query';
import { useZone } from '../business/use-zone';
import { runtime } from '../runtime';
import { daysText } from '../time/days-text';
import { inSentence } from '../time/in-sentence';
import { dayName, moment, timeOfDay } from '../time/zoned';
import { Muted } from '../ui/text';
import { noticesQuery } from './queries';

/** The service counts so many, and no more. */
const MOST_COUNTED = 1_000;

type VoiceNoticesProps = { businessId: string; connectionId: string };

/** What a platform delivered that names no call; renders nothing without any. */
export function VoiceNotices({ businessId, connectionId }: VoiceNoticesProps) {
  const { data, error } = useQuery(noticesQuery(businessId, connectionId));
  const zone = useZone(businessId);
  if (!data)
    return error && <Muted>Whether it delivered anything besides calls can’t be read just now.</Muted>;
  const { count, lastKind, lastReceivedAt } = data;
  const { keptDays } = runtime();
  const at = moment(lastReceivedAt);
  if (count === 0) return null;
  return (
    <Muted overflowWrap="anywhere">
      {countText(count)}
      {keptDays && ` in the last ${daysText(keptDays.deliveries)}`} {count === 1 ? 'was' : 'were'} not about a
      call, and Frontdesk ignored {count === 1 ? 'it' : 'them'}: {count === 1 ? '' : 'the latest was '}“
      {lastKind}”{at && `, ${inSentence(dayName(at, zone, new Date()))} at ${timeOfDay(at, zone)}`}.
    </Muted>
  );
}

function countText(count: number): string {
  if (count === 1) return 'One event';
  return `${count.toLocaleString('en-GB')}${count === MOST_COUNTED ? ' or more' : ''} events`;
}
