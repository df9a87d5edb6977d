import { Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CloudOff, ShieldAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { CheckField } from '../ui/check-field';
import { Note } from '../ui/states';
import { Text } from '../ui/text';
import { lackingTestsQuery, type Treatment } from './patch-tests';

type PatchTests = {
  /** What is lacking, with a box to go on without it; nothing where nothing is. */
  note: ReactNode;
  /** Nothing is lacking, or it was confirmed. */
  settled: boolean;
};

/** Warns of patch tests that a customer lacks, before they are booked without. */
export function usePatchTests(treatment: Treatment, confirm: string): PatchTests {
  const query = useQuery(lackingTestsQuery(treatment));
  const [confirmed, setConfirmed] = useState('');
  const sentences = query.data?.warnings.map(({ sentence }) => sentence) ?? [];
  // Another customer or service is another question.
  const question = sentences.join(' ');
  if (query.error) {
    const note = (
      <Note tone="warn" icon={CloudOff}>
        The customer’s patch tests can’t be read now. Ask the customer about them.
      </Note>
    );
    return { note, settled: true };
  }
  if (sentences.length === 0) return { note: null, settled: !query.isLoading };
  const note = (
    <LackingTests sentences={sentences}>
      <CheckField
        label={confirm}
        checked={confirmed === question}
        onChange={(event) => setConfirmed(event.currentTarget.checked ? question : '')}
      />
    </LackingTests>
  );
  return { note, settled: confirmed === question };
}

/** The patch tests that the customer of a booked visit lacks. */
export function PatchTestNote(treatment: Treatment) {
  const { data } = useQuery(lackingTestsQuery(treatment));
  const sentences = data?.warnings.map(({ sentence }) => sentence) ?? [];
  return sentences.length > 0 && <LackingTests sentences={sentences} />;
}

function LackingTests({ sentences, children }: { sentences: readonly string[]; children?: ReactNode }) {
  return (
    <Note tone="warn" icon={ShieldAlert} role="alert">
      <Stack gap="2">
        <Stack as="ul" listStyleType="none" gap="1" aria-label="Patch tests">
          {sentences.map((sentence) => (
            <Text as="li" key={sentence}>
              {sentence}
            </Text>
          ))}
        </Stack>
        {children}
      </Stack>
    </Note>
  );
}
