import type { CallFigures, GetInsightsResponse } from '../gen/frontdesk/telemetry/v1/insight_pb';
import type { Dates } from '../intelligence/wish';

/** What each part of the page shows figures of. */
export type Parts = {
  businessId: string;
  dates: Dates;
  told: GetInsightsResponse;
  figures: CallFigures;
};
