import { useCallback } from 'react';
import { may } from '../api/access';
import { type Destination, endingLater, isMovable } from '../day/move-visit';
import type { VisitCard } from '../day/visit-cards';
import { ProposalAccess } from '../gen/access';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Opened } from './day-dialogs';
import { useExtending } from './visit/use-extending';
import { useMoves } from './visit/use-moves';

type Rearranging = {
  businessId: string;
  zone: string;
  role: string;
  maySqueezeIn: boolean;
  nameOf: (employeeId: string) => string;
  /** What is in the way of it, or has to be asked, is shown in front of the day. */
  onOpen: (opened: Opened) => void;
};

/** What is done to the cards of a day: they get another place, or another end. */
export function useRearranging({ businessId, zone, role, maySqueezeIn, nameOf, onOpen }: Rearranging) {
  const { withMoves, move, question } = useMoves(
    businessId,
    zone,
    nameOf,
    maySqueezeIn ? (visit, to) => onOpen({ kind: 'beside', wish: { visit, to } }) : undefined,
    (question) => onOpen({ kind: 'series', question }),
  );
  const extend = useExtending(businessId, zone, (proposalId) => onOpen({ kind: 'inTheWay', proposalId }));
  const mayExtend = may(ProposalAccess.delayAppointment, role);
  const moveCard = useCallback((card: VisitCard, to: Destination) => move(card.appointment, to), [move]);
  const resize = useCallback(
    (visit: Appointment, minutes: number) => {
      if (isMovable(visit)) move(visit, endingLater(visit, minutes));
      else if (mayExtend) extend(visit, minutes);
    },
    [move, extend, mayExtend],
  );
  return { withMoves, move, moveCard, resize, question };
}
