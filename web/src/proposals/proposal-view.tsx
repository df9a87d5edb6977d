import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useAction } from '../api/action';
import { employeesQuery } from '../business/queries';
import { readVisitsAgain } from '../business/read-visits-again';
import {
  type Proposal,
  type ProposalLine,
  ProposalService,
} from '../gen/frontdesk/scheduling/v1/proposal_pb';
import { messageOf, violationOf } from '../http/errors';
import { TextLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { PhoneLink } from '../ui/phone-link';
import { RowsSkeleton } from '../ui/skeleton';
import { Refusal } from '../ui/states';
import { Figures, Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { proposalQuery, showProposal } from './queries';
import { causeText, changeText, isApplicable, type Names, placeText, whoOf } from './wording';

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
  const employees = useQuery(employeesQuery(businessId)).data?.employees ?? [];
  const names: Names = new Map(employees.map(({ id, name }) => [id, name]));
  const readAgain = () =>
    void queries.invalidateQueries({ queryKey: proposalQuery(businessId, proposal.id).queryKey });
  const apply = useAction(ProposalService.method.applyProposal, {
    onDone: ({ proposal: applied, appointments }) => {
      if (applied) showProposal(queries, businessId, applied);
      readVisitsAgain();
      toasts.show(
        'good',
        appointments.length === 1 ? 'One visit changed.' : `${appointments.length} visits changed.`,
      );
      if (applied?.openLineCount === 0) onSettled?.();
    },
    onRefused: readAgain,
  });
  const dismiss = useAction(ProposalService.method.dismissProposal, {
    onDone: ({ proposal: dismissed }) => {
      if (dismissed) showProposal(queries, businessId, dismissed);
      toasts.show('info', 'Put aside. What was applied stays.');
      onSettled?.();
    },
    onRefused: readAgain,
  });
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
            dismiss.act({ businessId, proposalId: proposal.id, version: proposal.version });
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
    <Flex as="li" gap="4" py="3" align="center" wrap="wrap" borderTop="1px solid" borderColor="line">
      <Stack gap="0.5" flex="1 1 16rem" minWidth="0">
        <Text fontWeight="600">
          {line.appointmentId ? (
            <TextLink to={paths.appointment(businessId, line.appointmentId)}>{who}</TextLink>
          ) : (
            who
          )}
        </Text>
        {line.from && (
          <Muted>
            <Figures>Now {placeText(line.from, names, zone)}</Figures>
          </Muted>
        )}
        {line.to ? (
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
      <Flex gap="3" align="center">
        <Muted>{changeText(line)}</Muted>
        {line.isApplied && <Badge tone="good">Applied</Badge>}
        {isApplicable(line) && (
          <Button disabled={running} aria-label={`Apply for ${who}`} onClick={onApply}>
            Apply
          </Button>
        )}
      </Flex>
    </Flex>
  );
}
