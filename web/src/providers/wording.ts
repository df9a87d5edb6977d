import {
  type ProviderConnection,
  type ProviderRecord,
  type ProviderRun,
  ProviderRunState,
  type ProviderSystem,
} from '../gen/frontdesk/calendarsync/v1/provider_pb';
import type { Tone } from '../ui/badge';

/** How a run is. */
export function runText(run: ProviderRun): { label: string; tone: Tone } {
  switch (run.state) {
    case ProviderRunState.DONE:
      return { label: run.dryRun ? 'Dry run' : 'Done', tone: 'good' };
    case ProviderRunState.FAILED:
      return { label: 'Failed', tone: 'bad' };
    default:
      return {
        label: `Step ${Math.min(run.stepsDone + 1, run.stepCount)} of ${run.stepCount}`,
        tone: 'info',
      };
  }
}

/** What a run read and changed, or would change. */
export function countsText({ counts, dryRun }: ProviderRun): string {
  if (!counts) return '';
  const { employees, services, appointments, added, changed, removed } = counts;
  const read = [
    counted(employees, 'employee'),
    counted(services, 'service'),
    `${counted(appointments, 'appointment')} of mapped employees`,
  ].join(', ');
  const changes = [
    added > 0 && `${added} new`,
    changed > 0 && `${changed} renamed`,
    removed > 0 && `${removed} gone`,
  ].filter(Boolean);
  if (changes.length === 0) return `${read}. Nothing changed.`;
  return `${read}. ${dryRun ? 'Would be' : ''} ${changes.join(', ')}.`.replace('  ', ' ');
}

const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en-GB')} ${what}${count === 1 ? '' : 's'}`;

/** "9:30" of minutes after midnight. */
export function minuteText(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}

/** "Square, Phorest and Demo". */
export function names(systems: readonly Pick<ProviderSystem, 'name'>[]): string {
  return new Intl.ListFormat('en-GB').format(systems.map(({ name }) => name));
}

/** The system that a connection is to; `undefined` if this installation no longer supports it. */
export function systemOf(
  { kind, profile }: Pick<ProviderConnection, 'kind' | 'profile'>,
  systems: readonly ProviderSystem[],
): ProviderSystem | undefined {
  return systems.find((system) => system.kind === kind && system.profile === profile);
}

/** The records that are not mapped and have a suggestion of their own. */
export function suggestedOf(records: readonly ProviderRecord[]): ProviderRecord[] {
  const taken = new Set(records.map(({ mappedId }) => mappedId).filter(Boolean));
  return records.filter(({ mappedId, suggestedId }) => {
    if (mappedId || !suggestedId || taken.has(suggestedId)) return false;
    taken.add(suggestedId);
    return true;
  });
}
