import { Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Pin } from 'lucide-react';
import { Note } from '../ui/states';
import { Text } from '../ui/text';
import { firstNotesQuery } from './queries';

/** What has to be known whenever the customer is booked or served. */
export function PinnedNotes({ businessId, customerId }: { businessId: string; customerId: string }) {
  const notes = useQuery(firstNotesQuery(businessId, customerId)).data?.notes ?? [];
  const pinned = notes.filter((note) => note.pinned);
  if (pinned.length === 0) return null;
  return (
    <Note tone="warn" icon={Pin}>
      <Stack as="ul" listStyleType="none" gap="1" aria-label="Pinned notes">
        {pinned.map(({ id, text }) => (
          <Text as="li" key={id} whiteSpace="pre-wrap">
            {text}
          </Text>
        ))}
      </Stack>
    </Note>
  );
}
