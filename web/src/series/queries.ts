import { rpcQuery } from '../api/query';
import { SeriesService } from '../gen/frontdesk/scheduling/v1/series_pb';

export const seriesQuery = (businessId: string, seriesId: string) =>
  rpcQuery(SeriesService.method.getSeries, { businessId, seriesId });
