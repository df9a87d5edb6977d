import { Box, Flex } from '@chakra-ui/react';
import { Check, PhoneOff } from 'lucide-react';
import { type Contact, ContactOutcome } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { Text } from '../ui/text';
import { contactText } from './contact-words';

type ContactsProps = { contacts: readonly Contact[]; zone: string };

/** Calls to a visit's customer about an employee who is not at work then; renders nothing without any. */
export function Contacts({ contacts, zone }: ContactsProps) {
  if (contacts.length === 0) return null;
  const now = new Date();
  return (
    <Box as="ul" aria-label="Calls about this visit" listStyleType="none">
      {contacts.map((contact) => {
        const told = contact.outcome === ContactOutcome.TOLD;
        return (
          <Flex
            as="li"
            key={`${contact.recordedAt?.seconds}.${contact.recordedAt?.nanos}`}
            gap="2"
            py="1"
            align="baseline"
          >
            <Box color={told ? 'good.fg' : 'fg.muted'} flexShrink="0" alignSelf="center">
              {told ? <Check size={16} aria-hidden /> : <PhoneOff size={16} aria-hidden />}
            </Box>
            <Text as="span" overflowWrap="anywhere">
              {contactText(contact, zone, now)}
            </Text>
          </Flex>
        );
      })}
    </Box>
  );
}
