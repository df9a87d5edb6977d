import { Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CalendarX2, Layers2 } from 'lucide-react';
import { useState } from 'react';
import { cancellationText } from '../appointments/cancellation-text';
import { ConflictsOf } from '../appointments/conflicts';
import { Contacts } from '../appointments/contacts';
import { AppointmentBadge } from '../appointments/state';
import { bookableServicesQuery } from '../booking/queries';
import { PatchTestNote } from '../booking/use-patch-tests';
import { meQuery } from '../business/queries';
import { undoKept } from '../business/undo-change';
import { useChoosable, useEmployeesOnRecord } from '../business/use-employees';
import { PinnedNotes } from '../customers/pinned-notes';
import { isMovable } from '../day/move-visit';
import { dayName, moment, timeSpan } from '../time/zoned';
import { Note } from '../ui/states';
import { Text } from '../ui/text';
import { MoveForm } from './move-form';
import { SeriesVisits } from './series-visits';
import { StrandedVisit } from './stranded-visit';
import { undoneText } from './undone-text';
import { usePanelMoves } from './use-panel-moves';
import { type Doing, VisitActions } from './visit-actions';
import { VisitDialogs } from './visit-dialogs';
import { VisitCall, VisitCustomer } from './visit-facts';
import { VisitHistory } from './visit-history';
import { VisitItems } from './visit-items';
import type { VisitPanelProps } from './visit-panel-props';
import { VisitSteps } from './visit-steps';

/** Everything about a visit, and everything that can be done with it, wherever it is opened. */
export function VisitPanel(props: VisitPanelProps) {
  const { businessId, visit, zone, steps, stepBack, history, contacts, undoable, titled = false } = props;
  const [doing, setDoing] = useState<Doing | null>(null);
  const employees = useEmployeesOnRecord(businessId);
  const services = useQuery(bookableServicesQuery(businessId)).data?.services ?? [];
  // The session knows no id after a sign-in with a password.
  const me = useQuery(meQuery()).data?.id ?? '';
  const choosable = useChoosable(
    businessId,
    visit.items.map(({ employeeId }) => employeeId),
  );
  const nameOf = (id: string) => employees.find((employee) => employee.id === id)?.name ?? '';
  const { move, question } = usePanelMoves({ businessId, visit, zone, nameOf });
  const [from, to] = [moment(visit.startsAt), moment(visit.endsAt)];
  const when = from && to ? `${dayName(from, zone, new Date())}, ${timeSpan(from, to, zone)}` : '';
  const close = () => setDoing(null);
  const cancelled = cancellationText(visit, { employees, userId: me }, zone, new Date());
  return (
    <Stack gap="5">
      {!titled && (
        <Flex gap="3" wrap="wrap" align="center">
          <Text fontWeight="550">{when}</Text>
          <AppointmentBadge state={visit.state} />
        </Flex>
      )}
      {visit.customerId && <PinnedNotes businessId={businessId} customerId={visit.customerId} />}
      {cancelled && (
        <Note tone="info" icon={CalendarX2}>
          {cancelled}
        </Note>
      )}
      {visit.squeezedIn && (
        <Note tone="info" icon={Layers2}>
          Squeezed in beside whatever else takes the time.
        </Note>
      )}
      {isMovable(visit) && (
        <StrandedVisit businessId={businessId} appointmentId={visit.id} zone={zone} role={props.role} />
      )}
      <ConflictsOf businessId={businessId} appointmentId={visit.id} zone={zone} />
      <VisitCustomer businessId={businessId} visit={visit} />
      <Contacts contacts={contacts} zone={zone} />
      {isMovable(visit) && (
        <PatchTestNote
          businessId={businessId}
          customerId={visit.customerId}
          serviceIds={visit.items.map(({ serviceId }) => serviceId)}
          services={services}
          start={from ?? undefined}
        />
      )}
      <VisitSteps businessId={businessId} visit={visit} zone={zone} steps={steps} stepBack={stepBack} />
      <VisitItems visit={visit} zone={zone} />
      {doing === 'change' ? (
        <MoveForm
          visit={visit}
          zone={zone}
          employees={choosable}
          catalogue={new Map(services.map((service) => [service.id, service]))}
          onMove={props.onMove ?? move}
          onDone={props.onMoved ?? close}
          onLeave={close}
        />
      ) : (
        <VisitActions {...props} onDo={setDoing} />
      )}
      {/* The earliest entry is the booking. */}
      <VisitCall businessId={businessId} visit={visit} bookedBy={history.at(-1)?.by ?? ''} />
      {visit.seriesId && <SeriesVisits businessId={businessId} visit={visit} zone={zone} />}
      <VisitHistory
        entries={history}
        employees={employees}
        userId={me}
        zone={zone}
        undo={
          undoable && {
            ...undoable,
            run: () => undoKept(businessId, undoable.changeId, undoneText(visit, history, undoable)),
          }
        }
      />
      <VisitDialogs
        businessId={businessId}
        visit={visit}
        zone={zone}
        when={when}
        doing={doing}
        onDo={setDoing}
        onClose={close}
      />
      {question}
    </Stack>
  );
}
