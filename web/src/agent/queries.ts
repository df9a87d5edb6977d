import { rpcPages, rpcQuery } from '../api/query';
import { AgentSettingsService } from '../gen/frontdesk/tenancy/v1/agent_settings_pb';

export const agentQuery = (businessId: string) =>
  rpcQuery(AgentSettingsService.method.getAgentSettings, { businessId });

export const agentVersionPages = (businessId: string) =>
  rpcPages(AgentSettingsService.method.listAgentVersions, { businessId, pageSize: 20 });

/** As a version to compare with. */
export const DRAFT = -1;

export const agentComparison = (businessId: string, fromVersion: number, toVersion: number) =>
  rpcQuery(AgentSettingsService.method.compareAgentVersions, { businessId, fromVersion, toVersion });
