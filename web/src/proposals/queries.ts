import type { QueryClient } from '@tanstack/react-query';
import { rpcPages, rpcQuery } from '../api/query';
import { type Proposal, ProposalService } from '../gen/frontdesk/scheduling/v1/proposal_pb';

const PAGE = 50;

export const proposalPages = (businessId: string) =>
  rpcPages(ProposalService.method.listProposals, { businessId, pageSize: PAGE });

export const proposalQuery = (businessId: string, proposalId: string) =>
  rpcQuery(ProposalService.method.getProposal, { businessId, proposalId });

/** Shows a proposal as it came back, and reads again which are open. */
export function showProposal(queries: QueryClient, businessId: string, proposal: Proposal): void {
  const { queryKey } = proposalQuery(businessId, proposal.id);
  queries.setQueryData(queryKey, (before) => ({ ...(before ?? { $typeName: ANSWER }), proposal }));
  void queries.invalidateQueries({ queryKey: proposalPages(businessId).queryKey });
}

const ANSWER = 'frontdesk.scheduling.v1.GetProposalResponse' as const;
