import { Grid, Stack } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { allBusinessesPages, meQuery } from '../business/queries';
import { ProductEventType } from '../gen/frontdesk/telemetry/v1/product_event_pb';
import { CheckField } from '../ui/check-field';
import { Choice } from '../ui/choice';
import { SelectField } from '../ui/select-field';
import { actorText } from './actor-text';
import { eventPages } from './queries';
import { useAccountNames } from './use-account-names';
import { type EventWish, SPANS, TYPE_TEXT, TYPES } from './wish';

type EventFiltersProps = {
  wish: EventWish;
  now: Date;
  tail: boolean;
  onTail: (tail: boolean) => void;
  onChange: (changed: Partial<EventWish>) => void;
};

/** Which events are shown, and whether new ones appear by themselves. */
export function EventFilters({ wish, now, tail, onTail, onChange }: EventFiltersProps) {
  const businesses =
    useInfiniteQuery(allBusinessesPages()).data?.pages.flatMap((page) => page.businesses) ?? [];
  return (
    <Stack gap="4">
      <Choice legend="Time" value={wish.hours} options={SPANS} onChange={(hours) => onChange({ hours })} />
      <Grid gap="4" gridTemplateColumns="repeat(auto-fill, minmax(min(15rem, 100%), 1fr))" alignItems="start">
        <SelectField
          label="Business"
          value={wish.business}
          onChange={(event) => onChange({ business: event.currentTarget.value })}
        >
          <option value="">Every business</option>
          {wish.business && !businesses.some(({ id }) => id === wish.business) && (
            <option value={wish.business}>The chosen business</option>
          )}
          {businesses.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Event"
          value={wish.type}
          onChange={(event) => onChange({ type: Number(event.currentTarget.value) })}
        >
          <option value={ProductEventType.UNSPECIFIED}>Every event</option>
          {TYPES.map((type) => (
            <option key={type} value={type}>
              {TYPE_TEXT[type]}
            </option>
          ))}
        </SelectField>
        <ActorField wish={wish} now={now} onChange={(actor) => onChange({ actor })} />
      </Grid>
      <CheckField
        label="Show new events as they happen"
        checked={tail}
        onChange={(event) => onTail(event.currentTarget.checked)}
      />
    </Stack>
  );
}

type ActorFieldProps = { wish: EventWish; now: Date; onChange: (actor: string) => void };

/** One of those who acted last, whatever else is chosen. */
function ActorField({ wish, now, onChange }: ActorFieldProps) {
  const me = useQuery(meQuery()).data?.id ?? '';
  const { data } = useInfiniteQuery(eventPages({ ...wish, actor: '' }, now, false));
  const seen = data?.pages.flatMap((page) => page.events.map(({ actor }) => actor)) ?? [];
  const actors = [...new Set([...(wish.actor && [wish.actor]), ...seen])];
  const names = useAccountNames(actors);
  const options = actors
    .map((actor) => ({ actor, text: actorText(actor, me, names) }))
    .sort((one, other) => one.text.localeCompare(other.text));
  return (
    <SelectField
      label="Who acted"
      value={wish.actor}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">Everyone</option>
      {options.map(({ actor, text }) => (
        <option key={actor} value={actor}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}
