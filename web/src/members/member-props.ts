import type { Member } from '../gen/frontdesk/auth/v1/member_pb';

export type MemberProps = {
  businessId: string;
  business: string;
  member: Member;
  /** The person looking at the list. */
  self: boolean;
};
