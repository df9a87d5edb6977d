import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { intend, useAction } from '../api/action';
import { membershipsQuery } from '../business/queries';
import { calendarsQuery } from '../calendars/queries';
import { MemberService } from '../gen/frontdesk/auth/v1/member_pb';
import { type Calendar, CalendarService } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { messageOf } from '../http/errors';
import { paths } from '../paths';
import { session } from '../session/current';
import { CheckField } from '../ui/check-field';
import { ConfirmDialog } from '../ui/dialog';
import { Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { useCalendarsOf } from './calendars-of';
import type { MemberProps } from './member-props';
import { memberPages } from './queries';

const inEnglish = new Intl.ListFormat('en-GB');
const namesOf = (calendars: readonly Calendar[]) => inEnglish.format(calendars.map(({ name }) => name));

/** Ends a membership, and with it the calendars that the person has connected, unless they are to stay. */
export function RemoveDialog(props: MemberProps & { onClose: () => void }) {
  const { businessId, business, member, self, onClose } = props;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const calendars = useCalendarsOf(businessId, member.userId);
  const [disconnects, setDisconnects] = useState(true);
  const ending = self || !disconnects ? [] : (calendars ?? []);
  const { act, running, error } = useAction(MemberService.method.removeMember, {
    onDone: () => {
      onClose();
      if (self) {
        session.renew().catch(() => undefined);
        void queries.invalidateQueries({ queryKey: membershipsQuery().queryKey });
        navigate(paths.myBusinesses);
        toasts.show('good', `You have left ${business}.`);
        return;
      }
      void queries.invalidateQueries({ queryKey: memberPages(businessId).queryKey });
      toasts.show('good', `${member.name} is no longer a member.`);
      void disconnect(businessId, member.name, ending).finally(() =>
        queries.invalidateQueries({ queryKey: calendarsQuery(businessId).queryKey }),
      );
    },
  });
  return (
    <ConfirmDialog
      title={self ? `Leave ${business}?` : `Remove ${member.name}?`}
      confirm={self ? 'Leave' : 'Remove'}
      keep={self ? 'Stay' : 'Keep'}
      refused={error && messageOf(error, 'The member could not be removed.')}
      running={running}
      onConfirm={() => act({ businessId, userId: member.userId })}
      onClose={onClose}
    >
      <Text>
        {self
          ? 'You lose your access at once. To come back you need an invitation.'
          : `${member.name} loses access to ${business} within a second. The account itself stays. To let them back in, invite them again.`}
      </Text>
      {self ? (
        calendars?.length !== 0 && (
          <Text mt="3">
            Calendars of yours that are connected here are disconnected, and your upcoming appointments are
            taken out of them. Past ones stay.
          </Text>
        )
      ) : calendars === undefined ? (
        <Text mt="3">
          Calendars of theirs stay connected, and still get their appointments with customers’ names. If{' '}
          {member.name} no longer works here, disconnect these as well.
        </Text>
      ) : (
        calendars.length > 0 && (
          <>
            <CheckField
              label={`Disconnect ${namesOf(calendars)}`}
              checked={disconnects}
              onChange={({ currentTarget }) => setDisconnects(currentTarget.checked)}
            />
            <Muted fontSize="0.875rem">
              {disconnects
                ? `What is entered there no longer keeps ${member.name}’s time free. Upcoming appointments that were written there are taken out; past ones stay.`
                : `${calendars.length === 1 ? 'It still gets' : 'They still get'} ${member.name}’s appointments with customers’ names.`}
            </Muted>
          </>
        )
      )}
    </ConfirmDialog>
  );
}

/** Each for itself: one that fails keeps no other connected. A toast replaces the one before, and so says all. */
async function disconnect(businessId: string, name: string, calendars: readonly Calendar[]): Promise<void> {
  if (calendars.length === 0) return;
  const ended = await Promise.allSettled(
    calendars.map(({ id }) =>
      intend(CalendarService.method.disconnectCalendar, { businessId, calendarId: id, takeOut: true }),
    ),
  );
  const failed = calendars.filter((_, at) => ended[at]?.status === 'rejected');
  const refusal = ended.find((one) => one.status === 'rejected');
  const removed = `${name} is no longer a member`;
  if (refusal)
    toasts.show(
      'bad',
      `${removed}, but ${namesOf(failed)} ${failed.length === 1 ? 'is' : 'are'} still connected: ${messageOf(refusal.reason)} Disconnect under Details, Integrations.`,
    );
  else
    toasts.show(
      'good',
      `${removed}, and ${namesOf(calendars)} ${calendars.length === 1 ? 'is' : 'are'} being disconnected.`,
    );
}
