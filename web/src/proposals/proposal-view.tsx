import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { readVisitsAgain } from '../business/read-visits-again';
import { undoChange } from '../business/undo-change';
import { useEmployeeNames } from '../business/use-employees';
import {
  type Proposal,
  type ProposalLine,
  ProposalService,
} from '../gen/frontdesk/scheduling/v1/proposal_pb';
import type { StrandedAppointment } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { messageOf, violationOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { VisitLink } from '../layout/visit-link';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { PhoneLink } from '../ui/phone-link';
import { RowsSkeleton } from '../ui/skeleton';
import { Refusal } from '../ui/states';
import { Figures, Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';
import { proposalQuery, showProposal } from './queries';
import { StrandsDialog } from './strands-dialog';
import {
  appliedText,
  causeText,
  changeText,
  customersText,
  employeesIn,
  isApplicable,
  isOpen,
  type Names,
  placeText,
  sinceText,
  undoneText,
  whoOf,
} from './wording';

type ProposalViewProps = { businessId: string; proposalId: string; zone: string; onSettled?: () => void };

/** A proposal, line by line, each with where it was and where it could be. */
export function ProposalView(props: ProposalViewProps) {
  const query = useQuery(proposalQuery(props.businessId, props.proposalId));
  return (
    <Reading query={query} what="The proposal" skeleton={<RowsSkeleton rows={3} label="Loading proposal" />}>
      {({ proposal }) => proposal && <Lines {...props} proposal={proposal} />}
    </Reading>
  );
}

function Lines({ businessId, proposal, zone, onSettled }: ProposalViewProps & { proposal: Proposal }) {
  const queries = useQueryClient();
  const names = useEmployeeNames(businessId, employeesIn(proposal));
  const readAgain = () =>
    void queries.invalidateQueries({ queryKey: proposalQuery(businessId, proposal.id).queryKey });
  const undoing = (changeId: string, done: string) =>
    undos.push(async (key) => {
      const undone = await undoChange(businessId, changeId, done)(key);
      // It has another version then: what is kept of it would be refused.
      await queries.resetQueries({ queryKey: proposalQuery(businessId, proposal.id).queryKey });
      return undone;
    }, changeId);
  const apply = useAction(ProposalService.method.applyProposal, {
    onDone: ({ proposal: applied, appointments, changeId }) => {
      if (applied) showProposal(queries, businessId, applied);
      readVisitsAgain();
      toasts.show('good', appliedText(appointments, zone), undoing(changeId, undoneText(appointments)));
      if (applied?.openLineCount === 0) onSettled?.();
    },
    onRefused: readAgain,
  });
  const [stranded, setStranded] = useState<StrandedAppointment[]>([]);
  const dismiss = useAction(ProposalService.method.dismissProposal, {
    onDone: ({ proposal: dismissed, stranded: left, changeId }) => {
      // Only asked whom it would leave: nothing left, nothing to confirm.
      if (!dismissed) return left.length > 0 ? setStranded(left) : dismiss.act(dismissal);
      setStranded([]);
      showProposal(queries, businessId, dismissed);
      toasts.show(
        'info',
        left.length > 0
          ? `Proposal dismissed. ${customersText(left.length)} ${left.length === 1 ? 'stays' : 'stay'} in the inbox.`
          : 'Proposal dismissed. What was applied stays.',
        undoing(changeId, 'The proposal is open again.'),
      );
      onSettled?.();
    },
    onRefused: readAgain,
  });
  const dismissal = { businessId, proposalId: proposal.id, version: proposal.version };
  const running = apply.running || dismiss.running;
  const applicable = proposal.lines.filter(isApplicable);
  const applyLines = (lineIds: string[]) => {
    dismiss.reset();
    apply.act({ businessId, proposalId: proposal.id, lineIds, version: proposal.version });
  };
  const error = apply.error ?? dismiss.error;
  return (
    <Stack gap="3">
      <Box as="ul" listStyleType="none" aria-label={causeText(proposal, names)}>
        {proposal.lines.map((line) => (
          <Line
            key={line.id}
            businessId={businessId}
            line={line}
            names={names}
            zone={zone}
            running={running}
            onApply={() => applyLines([line.id])}
          />
        ))}
      </Box>
      <Refusal>
        {error && (violationOf(error) || messageOf(error, 'The proposal could not be applied.'))}
      </Refusal>
      <Flex gap="2" justify="flex-end" wrap="wrap">
        <Button
          variant="quiet"
          disabled={running}
          onClick={() => {
            apply.reset();
            dismiss.act({ ...dismissal, validateOnly: true });
          }}
        >
          Dismiss
        </Button>
        {applicable.length > 1 && (
          <Button
            loading={apply.running}
            disabled={running}
            onClick={() => applyLines(applicable.map(({ id }) => id))}
          >
            Apply all {applicable.length}
          </Button>
        )}
      </Flex>
      {stranded.length > 0 && (
        <StrandsDialog
          title="Dismiss the proposal?"
          what={`still ${stranded.length === 1 ? 'has' : 'have'} no employee`}
          stranded={stranded}
          zone={zone}
          confirm="Dismiss"
          running={dismiss.running}
          refused={dismiss.error && messageOf(dismiss.error, 'The proposal could not be dismissed.')}
          onConfirm={() => dismiss.act(dismissal)}
          onClose={() => setStranded([])}
        />
      )}
    </Stack>
  );
}

type LineProps = {
  businessId: string;
  line: ProposalLine;
  names: Names;
  zone: string;
  running: boolean;
  onApply: () => void;
};

function Line({ businessId, line, names, zone, running, onApply }: LineProps) {
  const who = whoOf(line);
  return (
    <Flex
      as="li"
      columnGap="4"
      rowGap="2"
      py="3"
      align="center"
      wrap="wrap"
      borderTop="1px solid"
      borderColor="line"
    >
      <Stack gap="0.5" flex="1 1 16rem" minWidth="0">
        <Text fontWeight="600">
          {line.appointmentId ? (
            <VisitLink businessId={businessId} appointmentId={line.appointmentId}>
              {who}
            </VisitLink>
          ) : (
            who
          )}
        </Text>
        {isApplicable(line) && line.customerPhone && (
          <Muted>
            Call <PhoneLink phone={line.customerPhone} /> first.
          </Muted>
        )}
        {line.from && (
          <Muted>
            <Figures>
              {isOpen(line) ? 'Now' : 'Was'} {placeText(line.from, names, zone)}
            </Figures>
          </Muted>
        )}
        {!isOpen(line) && !line.isApplied ? (
          <Figures fontSize="0.9375rem" fontWeight="550">
            {sinceText(line, names, zone)}
          </Figures>
        ) : line.to ? (
          <Figures fontSize="0.9375rem" fontWeight="550">
            {line.from ? 'Then ' : ''}
            {placeText(line.to, names, zone)}
          </Figures>
        ) : (
          <Muted>
            Call {line.customerPhone ? <PhoneLink phone={line.customerPhone} /> : 'the customer'} to find
            another time.
          </Muted>
        )}
      </Stack>
      {/* Words alone take a line of their own: beside the others they would leave them half of a narrow dialog. */}
      <Flex gap="3" align="center" justify="space-between" flex={isApplicable(line) ? '1' : '1 0 100%'}>
        {(isOpen(line) || line.isApplied) && <Muted>{changeText(line)}</Muted>}
        {line.isApplied && <Badge tone="good">Applied</Badge>}
        {!line.isApplied && !isOpen(line) && <Badge>Changed since</Badge>}
        {isApplicable(line) && (
          <Button disabled={running} aria-label={`Apply for ${who}`} onClick={onApply}>
            Apply
          </Button>
        )}
      </Flex>
    </Flex>
  );
}
