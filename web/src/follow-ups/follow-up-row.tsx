import { Flex, Stack } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { Check, MessageSquareText, StickyNote } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action';
import { changePages } from '../api/pages';
import { CONTACT_HIDDEN, NUMBER_HIDDEN } from '../business/contact-policy';
import { undoRecordAction } from '../business/undo-change';
import { type FollowUp, FollowUpService } from '../gen/frontdesk/tenancy/v1/follow_up_pb';
import { messageOf } from '../http/errors';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { PhoneLink } from '../ui/phone-link';
import { shortText } from '../ui/short-text';
import { Figures, Muted, ScreenReaderOnly, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { AssignDialog } from './assign-dialog';
import { cameText, dueText } from './due';
import { DueAndOwner } from './due-and-owner';
import { followUpPages } from './queries';

type FollowUpRowProps = {
  businessId: string;
  followUp: FollowUp;
  zone: string;
  now: Date;
  /** It stands on the page of its call, which needs no link to itself. */
  onCall?: boolean;
};

/** A message or a task: text, when it came, customer, owner, due time, and a button to complete it. */
export function FollowUpRow({ businessId, followUp, zone, now, onCall = false }: FollowUpRowProps) {
  const [assigning, setAssigning] = useState(false);
  const done = useDone(businessId, followUp);
  const { text, customerId, customerName, phone, contactHidden, callId, employeeName, dueAt } = followUp;
  const came = cameText(followUp.createdAt, zone, now);
  const Icon = callId ? MessageSquareText : StickyNote;
  return (
    <Flex
      gap="4"
      align="flex-start"
      wrap="wrap"
      px={{ base: '4', sm: '6' }}
      py="4"
      borderTop="1px solid"
      borderColor="line"
    >
      <Flex gap="4" flex="1 1 18rem" minWidth="0">
        <Flex color="fg.muted" pt="0.5">
          <Icon size={20} aria-hidden />
        </Flex>
        <Stack gap="1" flex="1" minWidth="0">
          <Text fontWeight="600" whiteSpace="pre-wrap" overflowWrap="anywhere">
            {text}
          </Text>
          <Flex columnGap="3" rowGap="1" wrap="wrap" align="center">
            <DueAndOwner due={dueText(dueAt, zone, now)} owner={employeeName || 'For anyone'} />
            {came && (
              <Muted as="span">
                <Figures>{came}</Figures>
              </Muted>
            )}
            {customerName &&
              (customerId ? (
                <TextLink to={paths.customer(businessId, customerId)}>{customerName}</TextLink>
              ) : (
                <Muted>{customerName}</Muted>
              ))}
            {contactHidden ? (
              <Muted title={CONTACT_HIDDEN}>{NUMBER_HIDDEN}</Muted>
            ) : (
              phone && <PhoneLink phone={phone} />
            )}
            {callId && !onCall && <TextLink to={paths.call(businessId, callId)}>See the call</TextLink>}
          </Flex>
        </Stack>
      </Flex>
      {/* Under the words, where there is no room beside them. */}
      <Flex gap="2" ps={{ base: '9', sm: '0' }} ms={{ base: '-3', sm: '0' }}>
        <Button variant="quiet" onClick={() => setAssigning(true)}>
          Assign
          <ScreenReaderOnly> {text}</ScreenReaderOnly>
        </Button>
        <Button onClick={done}>
          <Check size={18} aria-hidden />
          Done
          <ScreenReaderOnly> {text}</ScreenReaderOnly>
        </Button>
      </Flex>
      {assigning && (
        <AssignDialog
          businessId={businessId}
          followUp={followUp}
          zone={zone}
          onClose={() => setAssigning(false)}
        />
      )}
    </Flex>
  );
}

/** Removes it from the list at once, and restores it when that is refused or undone. */
function useDone(businessId: string, { id, text }: FollowUp): () => void {
  const queries = useQueryClient();
  const list = followUpPages(businessId);
  const remove = () =>
    changePages(queries, list, 'followUps', (shown) => shown.filter((one) => one.id !== id));
  const readAgain = () => void queries.invalidateQueries({ queryKey: list.queryKey.slice(0, 1) });
  const request = { businessId, followUpId: id };
  const complete = useAction(FollowUpService.method.completeFollowUp, {
    onDone: ({ changeId }) => {
      // A reading from before may have put it back.
      remove();
      readAgain();
      const undo = undoRecordAction(businessId, changeId, `Open again: ${shortText(text)}`);
      toasts.show('good', `Done: ${shortText(text)}`, undo);
    },
    onRefused: (error) => {
      readAgain();
      toasts.show('bad', messageOf(error, 'It could not be marked as done.'));
    },
  });
  return () => {
    remove();
    complete.act(request);
  };
}
