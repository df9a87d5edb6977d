import { type Contact, ContactOutcome } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { inSentence } from '../time/in-sentence';
import { dayName, moment, timeOfDay } from '../time/zoned';

/** "Told by Ana, today, 10:12: “keeps it”", "Called, no answer, by Ana, yesterday, 17:40". */
export function contactText(contact: Contact, zone: string, now: Date): string {
  const { outcome, note, recordedByName } = contact;
  const at = moment(contact.recordedAt);
  const by = recordedByName && `by ${recordedByName}`;
  const when = at ? `${inSentence(dayName(at, zone, now))}, ${timeOfDay(at, zone)}` : '';
  const [what, joint] = outcome === ContactOutcome.TOLD ? ['Told', ' '] : ['Called, no answer', ', '];
  const said = [[what, by].filter(Boolean).join(joint), when].filter(Boolean).join(', ');
  return note ? `${said}: “${note}”` : said;
}
