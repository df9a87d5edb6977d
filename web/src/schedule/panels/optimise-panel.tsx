import { Box, chakra, Stack } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import { may } from '../../api/access';
import type { Column, Person } from '../../day/columns';
import { ProposalAccess } from '../../gen/access';
import type { DayVisit } from '../../gen/frontdesk/scheduling/v1/day_pb';
import type { DayCost } from '../../gen/frontdesk/scheduling/v1/optimisation_pb';
import type { OptimiseDayResponse } from '../../gen/frontdesk/scheduling/v1/proposal_pb';
import { ApiError, messageOf } from '../../http/errors';
import { Reading } from '../../layout/reading';
import { ProposalView } from '../../proposals/proposal-view';
import { proposalPages, proposalQuery } from '../../proposals/queries';
import { callsText, gainText } from '../../proposals/wording';
import { minutesText } from '../../time/zoned';
import { Button } from '../../ui/button';
import { CheckField } from '../../ui/check-field';
import { RowsSkeleton } from '../../ui/skeleton';
import { Empty, Refusal } from '../../ui/states';
import { Figures, Muted, Text } from '../../ui/text';
import { useRoomy } from '../../ui/use-width';
import { DayPictures } from './day-pictures';
import type { Optimising } from './use-optimising';

type OptimisePanelProps = {
  businessId: string;
  zone: string;
  role: string;
  day: string;
  today: string;
  columns: readonly Column[];
  visits: readonly DayVisit[];
  employees: readonly Person[];
  optimising: Optimising;
};

/** Looks for a better day, and shows what it would change. Nothing changes until the proposal is applied. */
export function OptimisePanel(props: OptimisePanelProps) {
  const { businessId, role, day, today, optimising } = props;
  const { answer, running, error } = optimising;
  const proposals = useInfiniteQuery(proposalPages(businessId));
  const open = (proposals.data?.pages ?? [])
    .flatMap((page) => page.proposals)
    .filter(({ date, cause }) => date === day && cause.case === 'optimisation')
    .map(({ id }) => id);
  // After a search without a proposal, only one that was made since is worth showing.
  const proposalId = answer
    ? (answer.proposal?.id ?? open.find((id) => !optimising.before.includes(id)))
    : open[0];
  return (
    <Stack gap="4">
      <Muted>
        Closes gaps by moving visits by a quarter of an hour at most, and only where a move gains more than
        the call to the customer costs. Nothing changes until you apply it.
      </Muted>
      {may(ProposalAccess.optimiseDay, role) ? (
        day < today ? (
          <Muted>This day is over.</Muted>
        ) : (
          <Stack gap="2">
            <CheckField
              label="Fit in people from the waitlist"
              checked={optimising.withWaitlist}
              onChange={(event) => optimising.setWithWaitlist(event.currentTarget.checked)}
            />
            <Button loading={running} onClick={() => optimising.begin(open)}>
              {!running && <Sparkles size={18} aria-hidden />}
              Look for a better day
            </Button>
          </Stack>
        )
      ) : (
        <Muted>A manager can look for a better day; what was found can be applied here.</Muted>
      )}
      <Box role="status">{running && <Running />}</Box>
      <Refusal>{error && refusalText(error)}</Refusal>
      {!running && answer && !proposalId && (
        <Empty icon={Sparkles} title="No change is worth it">
          {tried(answer)} None brings more than the calls to customers that it takes.
        </Empty>
      )}
      {!running && proposalId && <Found {...props} proposalId={proposalId} onSettled={optimising.settle} />}
      {!running && answer?.proposal && (
        <chakra.details>
          <Weighed>How it was weighed</Weighed>
          <Costs before={answer.before} after={answer.after} text={tried(answer)} />
        </chakra.details>
      )}
    </Stack>
  );
}

/** The server optimises one day of a business at a time, and refuses a second request meanwhile. */
function refusalText(error: unknown): string {
  return error instanceof ApiError && error.reason === 'UNAVAILABLE'
    ? 'A day is being worked on already. Try again in a moment.'
    : messageOf(error, 'The day could not be worked on.');
}

function Running() {
  return (
    <Stack gap="2">
      <Muted>Trying other ways to arrange the day…</Muted>
      <Box height="4px" overflow="hidden" borderRadius="full" bg="brand.subtle" aria-hidden>
        <Box height="100%" width="40%" bg="brand.solid" animation="travel 1.1s ease-in-out infinite" />
      </Box>
    </Stack>
  );
}

const tried = ({ run }: OptimiseDayResponse) =>
  `${new Intl.NumberFormat('en-GB').format(Number(run?.movesTried ?? 0))} changes were tried.`;

const Table = chakra('table', {
  base: {
    width: '100%',
    fontSize: '0.9375rem',
    fontVariantNumeric: 'tabular-nums',
    '& th, & td': { py: '1', ps: '3', textAlign: 'end', fontWeight: '400' },
    '& td': { whiteSpace: 'nowrap' },
    '& th:first-of-type': { ps: '0', textAlign: 'start' },
    '& thead th': { color: 'fg.muted', fontSize: '0.8125rem' },
    '& tbody tr': { borderTop: '1px solid', borderColor: 'line' },
    '& tbody tr:last-of-type': { '& th, & td': { fontWeight: '600' } },
  },
});

type CostsProps = { before: DayCost | undefined; after: DayCost | undefined; text: string };

/** What the day costs by part; parts that are nothing both times are left out. */
function Costs({ before, after, text }: CostsProps) {
  if (!before || !after) return null;
  const rows: [name: string, of: (cost: DayCost) => bigint, show: (value: bigint) => string][] = [
    ['Gaps nothing fits into', (cost) => cost.lostMinutes, inMinutes],
    ['Visits that change', (cost) => cost.touched, String],
    ['Moved by', (cost) => cost.movedMinutes, inMinutes],
    ['Without a place', (cost) => cost.unplaced, String],
    ['Served from the waitlist', (cost) => cost.servedMinutes, inMinutes],
  ];
  const shown = rows.filter(([, of]) => of(before) !== 0n || of(after) !== 0n);
  return (
    <Stack gap="2">
      <Table aria-label="What the day costs">
        <thead>
          <tr>
            <th scope="col">
              <chakra.span srOnly>Part</chakra.span>
            </th>
            <th scope="col">Now</th>
            <th scope="col">Then</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(([name, of, show]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{show(of(before))}</td>
              <td>{show(of(after))}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">In all, less is better</th>
            <td>{String(before.total)}</td>
            <td>{String(after.total)}</td>
          </tr>
        </tbody>
      </Table>
      <Muted fontSize="0.8125rem">{text}</Muted>
    </Stack>
  );
}

const inMinutes = (value: bigint) => minutesText(Number(value));

const Weighed = chakra('summary', {
  base: { display: 'list-item', minHeight: '11', py: '2.5', color: 'fg.muted', cursor: 'pointer' },
});

type FoundProps = OptimisePanelProps & { proposalId: string; onSettled: () => void };

function Found(props: FoundProps) {
  const { businessId, zone, proposalId, onSettled } = props;
  const query = useQuery(proposalQuery(businessId, proposalId));
  // Beside the day, the day itself shows it.
  const roomy = useRoomy();
  return (
    <Reading query={query} what="The proposal" skeleton={<RowsSkeleton rows={3} label="Loading proposal" />}>
      {({ proposal }) =>
        proposal && (
          <Stack gap="3">
            {proposal.cause.case === 'optimisation' && (
              <Stack gap="0.5">
                <Text fontWeight="600">
                  <Figures>{gainText(proposal.cause.value)}</Figures>
                </Text>
                <Muted>{callsText(proposal.lines)}</Muted>
              </Stack>
            )}
            {roomy ? (
              <Muted>
                On the day, dashed frames show where visits leave, and filled ones where they would go.
              </Muted>
            ) : (
              <DayPictures {...props} lines={proposal.lines} />
            )}
            <ProposalView businessId={businessId} proposalId={proposalId} zone={zone} onSettled={onSettled} />
          </Stack>
        )
      }
    </Reading>
  );
}
