import { chakra, Stack } from '@chakra-ui/react';
import { useState } from 'react';
import { useEmployeeNames } from '../business/use-employees';
import type { Proposal } from '../gen/frontdesk/scheduling/v1/proposal_pb';
import { ProposalView } from '../proposals/proposal-view';
import { causeText, employeesIn } from '../proposals/wording';
import { dateText } from '../time/zoned';
import { Muted, Text } from '../ui/text';

const Summary = chakra('summary', {
  base: { cursor: 'pointer', px: { base: '4', sm: '6' }, py: '4', _hover: { bg: 'bg.hover' } },
});

type ProposalRowProps = { businessId: string; proposal: Proposal; zone: string };

/** What a proposal is about; its lines are read when the row is opened. */
export function ProposalRow({ businessId, proposal, zone }: ProposalRowProps) {
  const [open, setOpen] = useState(false);
  const names = useEmployeeNames(businessId, employeesIn(proposal));
  const { openLineCount } = proposal;
  return (
    <chakra.details
      borderTop="1px solid"
      borderColor="line"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <Summary>
        <Text as="span" fontWeight="600">
          {causeText(proposal, names)}
        </Text>
        <Muted as="span">
          {' '}
          {dateText(new Date(`${proposal.date}T12:00Z`), 'UTC')} ·{' '}
          {openLineCount === 1 ? '1 visit to decide' : `${openLineCount} visits to decide`}
        </Muted>
      </Summary>
      {open && (
        <Stack px={{ base: '4', sm: '6' }} pb="4">
          <ProposalView businessId={businessId} proposalId={proposal.id} zone={zone} />
        </Stack>
      )}
    </chakra.details>
  );
}
