import { useQuery } from '@tanstack/react-query';
import { viewerZone } from '../time/zoned';
import { businessQuery, openingHoursQuery } from './queries';

/** The time zone of a business, from scheduling; until that is read, from the business's record. */
export function useZone(businessId: string): string {
  const hours = useQuery(openingHoursQuery(businessId)).data;
  const business = useQuery(businessQuery(businessId)).data?.business;
  return hours?.timeZone || business?.timeZone || viewerZone();
}
