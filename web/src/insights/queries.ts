import { keepPreviousData } from '@tanstack/react-query';
import { rpcQuery } from '../api/query';
import { InsightService } from '../gen/frontdesk/telemetry/v1/insight_pb';
import type { Dates } from '../intelligence/wish';

/** What the calls of some dates add up to. */
export const insightsQuery = (businessId: string, { first, last }: Dates) => ({
  ...rpcQuery(InsightService.method.getInsights, { businessId, firstDate: first, lastDate: last }),
  // Other dates take the place of these when they are there.
  placeholderData: keepPreviousData,
});
