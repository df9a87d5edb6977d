import { Box, Flex, Grid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { SlidersHorizontal, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { may } from '../api/access';
import { fetchedAhead } from '../api/fetched-ahead';
import { bookableServicesQuery } from '../booking/queries';
import { BOOKED_BY_TEAM, outcomeName } from '../business/call-outcome';
import { useBusinessRole } from '../business/queries';
import { customerQuery } from '../customers/queries';
import { CallAccess } from '../gen/access';
import { type CallOutcome, MissedReason } from '../gen/frontdesk/telemetry/v1/call_pb';
import { shortDayText } from '../time/local-day';
import { Button } from '../ui/button';
import { Surface } from '../ui/card';
import { CheckField } from '../ui/check-field';
import { TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import { ScreenReaderOnly } from '../ui/text';
import { CallViews } from './call-views';
import { ExportCalls } from './export-calls';
import { ANY_LOOKUP, type CallWish, EVERY_CALL, OUTCOMES, REASON_TEXT, REASONS } from './filter';
import { PLATFORMS, platformText } from './platform';
import { latencyText } from './timeline';

const CustomerFilter = fetchedAhead(() =>
  import('./customer-filter').then(({ CustomerFilter }) => CustomerFilter),
);

/** Long enough that a word typed at a desk is one search, short enough not to be noticed. */
const PAUSE_MS = 200;
const LONGEST_WORDS = 200;

type CallFiltersProps = {
  businessId: string;
  wish: CallWish;
  problem: string | null;
  onChange: (changed: Partial<CallWish>) => void;
};

/** Which calls are shown: a search, filters, and those that were saved. */
export function CallFilters({ businessId, wish, problem, onChange }: CallFiltersProps) {
  const [open, setOpen] = useState(false);
  const role = useBusinessRole(businessId);
  const chips = useChips(businessId, wish);
  const mayExport = role.kind === 'member' && may(CallAccess.exportCalls, role.role);
  return (
    <Stack gap="3">
      <Flex gap="3" wrap="wrap" align="flex-end">
        <Box flex="1 1 16rem">
          <Words words={wish.words} onChange={(words) => onChange({ words })} />
        </Box>
        <Button aria-expanded={open} onClick={() => setOpen(!open)} minHeight="12">
          <SlidersHorizontal size={18} aria-hidden />
          Filters{chips.length > 0 && ` (${chips.length})`}
        </Button>
        <CallViews businessId={businessId} wish={wish} onPick={(query) => onChange(query)} />
        {mayExport && <ExportCalls businessId={businessId} wish={wish} disabled={problem !== null} />}
      </Flex>
      {open && (
        <Surface p={{ base: '4', sm: '6' }}>
          <Fields businessId={businessId} wish={wish} problem={problem} onChange={onChange} />
        </Surface>
      )}
      {chips.length > 0 && (
        <Flex as="ul" aria-label="Filters in use" gap="2" wrap="wrap" listStyleType="none">
          {chips.map(({ text, without }) => (
            <li key={text}>
              <Button variant="tinted" onClick={() => onChange(without)}>
                {text}
                <X size={16} aria-hidden />
                <ScreenReaderOnly>: remove this filter</ScreenReaderOnly>
              </Button>
            </li>
          ))}
          {chips.length > 1 && (
            <li>
              <Button variant="quiet" onClick={() => onChange({ ...EVERY_CALL, words: wish.words })}>
                Remove all filters
              </Button>
            </li>
          )}
        </Flex>
      )}
    </Stack>
  );
}

/** What is typed is searched for after a pause; the address keeps it. */
function Words({ words, onChange }: { words: string; onChange: (words: string) => void }) {
  const [text, setText] = useState(words);
  const [searched, setSearched] = useState(words);
  // A saved view, or "Show all calls", brings other words.
  if (words !== searched) {
    setSearched(words);
    if (words !== text.trim()) setText(words);
  }
  const typed = text.trim();
  useEffect(() => {
    if (typed === words) return;
    const timer = setTimeout(() => onChange(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, words, onChange]);
  return (
    <TextField
      label="Search what was said"
      type="search"
      placeholder="Words, summary or name"
      autoComplete="off"
      maxLength={LONGEST_WORDS}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}

function Fields({ businessId, wish, problem, onChange }: CallFiltersProps) {
  const services = useQuery(bookableServicesQuery(businessId)).data?.services ?? [];
  const several = wish.outcomes.length > 1;
  return (
    <Grid gap="4" gridTemplateColumns="repeat(auto-fill, minmax(min(13rem, 100%), 1fr))" alignItems="end">
      <TextField
        label="From"
        type="date"
        value={wish.first}
        max={wish.last || undefined}
        onChange={(event) => onChange({ first: event.currentTarget.value })}
      />
      <TextField
        label="To"
        type="date"
        value={wish.last}
        min={wish.first || undefined}
        error={problem ?? undefined}
        onChange={(event) => onChange({ last: event.currentTarget.value })}
      />
      <SelectField
        label="State"
        value={wish.state}
        onChange={(event) => onChange({ state: event.currentTarget.value as CallWish['state'] })}
      >
        <option value="">Any</option>
        <option value="live">Not ended</option>
        <option value="ended">Ended</option>
      </SelectField>
      <SelectField
        label="Outcome"
        value={several ? 'several' : String(wish.outcomes[0] ?? '')}
        onChange={(event) => {
          const chosen = OUTCOMES.find((outcome) => String(outcome) === event.currentTarget.value);
          onChange({ outcomes: chosen === undefined ? [] : [chosen] });
        }}
      >
        <option value="">Any</option>
        {several && <option value="several">{wish.outcomes.map(outcomeName).join(', ')}</option>}
        {OUTCOMES.map((outcome) => (
          <option key={outcome} value={outcome}>
            {outcomeName(outcome)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Why there was no booking"
        value={wish.reason}
        onChange={(event) => onChange({ reason: Number(event.currentTarget.value) })}
      >
        <option value={MissedReason.UNSPECIFIED}>Any</option>
        {REASONS.map((reason) => (
          <option key={reason} value={reason}>
            {REASON_TEXT[reason]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={wish.serviceBooked ? 'Service booked' : 'Service asked for'}
        value={wish.service}
        onChange={({ currentTarget: { value } }) =>
          onChange({ service: value, serviceBooked: value !== '' && wish.serviceBooked })
        }
      >
        <option value="">Any</option>
        {wish.service && !services.some(({ id }) => id === wish.service) && (
          <option value={wish.service}>A service that is gone</option>
        )}
        {services.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Phone platform"
        value={wish.platform}
        onChange={(event) => onChange({ platform: event.currentTarget.value })}
      >
        <option value="">Any</option>
        {[...new Set([...PLATFORMS, ...(wish.platform ? [wish.platform] : [])])].map((platform) => (
          <option key={platform} value={platform}>
            {platformText(platform)}
          </option>
        ))}
      </SelectField>
      <CustomerFilter
        businessId={businessId}
        customerId={wish.customer}
        onChange={(customer) => onChange({ customer })}
      />
      <CheckField
        label="A look-up failed"
        checked={wish.failed}
        onChange={(event) => onChange({ failed: event.currentTarget.checked })}
      />
      <CheckField
        label="A booking was looked for"
        checked={wish.wanted}
        onChange={(event) => onChange({ wanted: event.currentTarget.checked })}
      />
      <CheckField
        label={BOOKED_BY_TEAM}
        checked={wish.team === 'yes'}
        onChange={(event) => onChange({ team: event.currentTarget.checked ? 'yes' : '' })}
      />
    </Grid>
  );
}

type Chip = { text: string; without: Partial<CallWish> };

/** Each filter in use, in words, and what removes it. */
function useChips(businessId: string, wish: CallWish): Chip[] {
  const customer = useQuery({
    ...customerQuery(businessId, wish.customer),
    enabled: wish.customer !== '',
  }).data?.customer;
  const services = useQuery({
    ...bookableServicesQuery(businessId),
    enabled: wish.service !== '',
  }).data?.services;
  const service = services?.find(({ id }) => id === wish.service)?.name;
  const { outcomes } = wish;
  const chips: (Chip | false)[] = [
    (wish.first !== '' || wish.last !== '') && {
      text: datesText(wish),
      without: { first: '', last: '' },
    },
    wish.hour !== undefined && {
      text: `${String(wish.hour).padStart(2, '0')}:00–${String((wish.hour + 1) % 24).padStart(2, '0')}:00`,
      without: { hour: undefined },
    },
    wish.state !== '' && {
      text: wish.state === 'live' ? 'Not ended' : 'Ended',
      without: { state: '' as const },
    },
    outcomes.length > 0 && {
      text:
        outcomes.length === OUTCOMES.length - 1
          ? `Not ${OUTCOMES.filter((outcome) => !outcomes.includes(outcome))
              .map(outcomeName)
              .join(', ')
              .toLowerCase()}`
          : outcomes.map((outcome: CallOutcome) => outcomeName(outcome)).join(' or '),
      without: { outcomes: [] },
    },
    wish.reason !== MissedReason.UNSPECIFIED && {
      text: `No booking: ${REASON_TEXT[wish.reason].toLowerCase()}`,
      without: { reason: MissedReason.UNSPECIFIED },
    },
    wish.service !== '' && {
      text: `${wish.serviceBooked ? 'Booked' : 'Asked for'} ${service ?? 'a service'}`,
      without: { service: '', serviceBooked: false },
    },
    wish.lookupMs > 0 && {
      text:
        wish.lookupMs === ANY_LOOKUP
          ? 'The agent looked something up'
          : `A look-up of about ${latencyText(wish.lookupMs)} or longer`,
      without: { lookupMs: 0 },
    },
    wish.platform !== '' && { text: platformText(wish.platform), without: { platform: '' } },
    wish.customer !== '' && { text: customer?.name ?? 'One customer', without: { customer: '' } },
    wish.failed && { text: 'A look-up failed', without: { failed: false } },
    wish.wanted && { text: 'A booking was looked for', without: { wanted: false } },
    wish.team !== '' && {
      text: wish.team === 'yes' ? BOOKED_BY_TEAM : `Not ${BOOKED_BY_TEAM.toLowerCase()}`,
      without: { team: '' as const },
    },
  ];
  return chips.filter((chip) => chip !== false);
}

function datesText({ first, last }: CallWish): string {
  if (first === last) return shortDayText(first);
  if (!last) return `From ${shortDayText(first)}`;
  if (!first) return `Until ${shortDayText(last)}`;
  return `${shortDayText(first)} – ${shortDayText(last)}`;
}
