import { Flex, Stack } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { may } from '../api/access';
import { useAction } from '../api/action';
import { useEmployeeNames } from '../business/use-employees';
import { calendarsQuery } from '../calendars/queries';
import { dueText } from '../follow-ups/due';
import { DueAndOwner } from '../follow-ups/due-and-owner';
import { AppointmentSyncAccess, ProviderConnectionAccess } from '../gen/access';
import { AppointmentSyncService } from '../gen/frontdesk/calendarsync/v1/appointment_sync_pb';
import { CalendarKind } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { asSentence, messageOf } from '../http/errors';
import { TextLink } from '../layout/links';
import { VisitLink } from '../layout/visit-link';
import { paths } from '../paths';
import { dateAndTime, moment } from '../time/zoned';
import { Avatar } from '../ui/avatar';
import { Button } from '../ui/button';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { ownerOf } from './due';
import { RowFrame } from './row-frame';
import type { Unwritten } from './rows';
import { placeText, whatNextText } from './unwritten-words';

type UnwrittenRowProps = {
  businessId: string;
  unwritten: Unwritten;
  zone: string;
  role: string;
  now: Date;
  /** It is being written again. */
  onRetried: () => void;
};

/** A visit that a calendar or the booking system has not taken: which, why, and what becomes of it. */
export function UnwrittenRow({ businessId, unwritten, zone, role, now, onRetried }: UnwrittenRowProps) {
  const { calendar, visit } = unwritten;
  const { appointmentId, startsAt, fault } = visit;
  const queries = useQueryClient();
  const name = useEmployeeNames(businessId, [calendar.employeeId]).get(calendar.employeeId) ?? 'An employee';
  const title = visit.title || 'A visit';
  const starts = moment(startsAt);
  const { act, running } = useAction(AppointmentSyncService.method.retryAppointmentSync, {
    onDone: () => {
      void queries.invalidateQueries({ queryKey: calendarsQuery(businessId).queryKey });
      onRetried();
      toasts.show('good', `${title} is being written again.`);
    },
    onRefused: (error) => toasts.show('bad', messageOf(error, `${title} could not be tried again.`)),
  });
  const ofProvider = calendar.kind === CalendarKind.PROVIDER;
  return (
    <RowFrame>
      <Avatar name={name} size="40px" />
      <Stack gap="0" flex="1 1 16rem" minWidth="0">
        <Text fontWeight="600">
          <VisitLink businessId={businessId} appointmentId={appointmentId}>
            {title}
          </VisitLink>{' '}
          {visit.isRemoval ? 'is still' : 'is not as it should be'} {placeText(calendar, name)}
        </Text>
        <Muted>
          {starts && `${dateAndTime(starts, zone)}. `}
          {asSentence(fault)}
        </Muted>
        <Muted>{whatNextText(visit)}</Muted>
        <Flex columnGap="3" rowGap="1" wrap="wrap" align="center">
          <DueAndOwner
            due={dueText(startsAt, zone, now)}
            owner={ownerOf(AppointmentSyncAccess.retryAppointmentSync)}
          />
          {ofProvider &&
            (may(ProviderConnectionAccess.listProviderRecords, role) ? (
              <TextLink to={paths.providerSync(businessId)}>
                Who and what is who in the booking system
              </TextLink>
            ) : (
              <Muted as="span">Employees and services are mapped by the owner.</Muted>
            ))}
          {may(AppointmentSyncAccess.listAppointmentSync, role) && (
            <TextLink to={`${paths.appointmentSync(businessId)}?only=failed`}>All that failed</TextLink>
          )}
        </Flex>
      </Stack>
      {may(AppointmentSyncAccess.retryAppointmentSync, role) && (
        <Button loading={running} onClick={() => act({ businessId, appointmentId })}>
          Try again
          <ScreenReaderOnly>: {title}</ScreenReaderOnly>
        </Button>
      )}
    </RowFrame>
  );
}
