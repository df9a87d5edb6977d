import { type ReactNode, useState } from 'react';
import { customerOf } from '../day/naming';
import { brokenBy } from '../day/wishes';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { ConfirmDialog } from '../ui/dialog';
import { Text } from '../ui/text';

type Asking = {
  visit: Appointment;
  employeeIds: readonly string[];
  go: (agreed: boolean) => void;
  leave: () => void;
};

export type Consent = {
  /**
   * Goes on at once where a move breaks no wish for one employee alone; else asks first, and goes on only if the
   * customer agreed.
   */
  ask: (
    visit: Appointment,
    employeeIds: readonly string[],
    go: (agreed: boolean) => void,
    leave?: () => void,
  ) => void;
  /** The question, while it is open. */
  question: ReactNode;
};

/** Asks before a visit leaves the only employee whom its customer wants. */
export function useConsent(nameOf: (employeeId: string) => string): Consent {
  const [asking, setAsking] = useState<Asking | null>(null);
  const ask: Consent['ask'] = (visit, employeeIds, go, leave = () => undefined) => {
    if (brokenBy(visit, employeeIds).length === 0) go(false);
    else setAsking({ visit, employeeIds, go, leave });
  };
  const close = (then?: () => void) => {
    setAsking(null);
    then?.();
  };
  const question = asking && (
    <ConsentDialog
      {...asking}
      nameOf={nameOf}
      onAgreed={() => close(() => asking.go(true))}
      onClose={() => close(asking.leave)}
    />
  );
  return { ask, question };
}

type DialogProps = Pick<Asking, 'visit' | 'employeeIds'> & {
  nameOf: (employeeId: string) => string;
  onAgreed: () => void;
  onClose: () => void;
};

function ConsentDialog({ visit, employeeIds, nameOf, onAgreed, onClose }: DialogProps) {
  const broken = brokenBy(visit, employeeIds);
  const names = (all: string[]) => new Intl.ListFormat('en-GB').format([...new Set(all.filter(Boolean))]);
  const wanted = names(broken.map(({ wishedEmployeeName }) => wishedEmployeeName)) || 'this employee';
  const others = names(broken.map((item) => nameOf(employeeIds[visit.items.indexOf(item)] ?? '')));
  return (
    <ConfirmDialog
      title={`Move away from ${wanted}?`}
      confirm="The customer agreed"
      keep={`Leave with ${wanted}`}
      running={false}
      onConfirm={onAgreed}
      onClose={onClose}
    >
      <Text>
        {customerOf(visit)} asked for {wanted} and no one else.{' '}
        {`Give the visit to ${others || 'another employee'} only if the customer agreed.`}
      </Text>
    </ConfirmDialog>
  );
}
