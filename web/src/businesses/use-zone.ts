import { useQuery } from '@tanstack/react-query';
import { viewerZone } from '../time/zoned';
import { businessQuery, openingHoursQuery } from './queries';

/** The clock a business lives by: scheduling knows it, the business's record said so at first. */
export function useZone(businessId: string): string {
  const hours = useQuery(openingHoursQuery(businessId)).data;
  const business = useQuery(businessQuery(businessId)).data?.business;
  return hours?.timeZone || business?.timeZone || viewerZone();
}
