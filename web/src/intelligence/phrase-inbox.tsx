import { Flex } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { may } from '../api/access';
import { MatchingAccess } from '../gen/access';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { Reading } from '../layout/reading';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { LongList } from '../ui/long-list';
import { RowsSkeleton } from '../ui/skeleton';
import { Muted } from '../ui/text';
import { useNow } from '../ui/use-now';
import { PhraseRow } from './phrase-row';
import { inOrder } from './phrases';
import { phrasePages } from './queries';
import { useSettling } from './use-settling';

const MINUTE_MS = 60_000;
const ROW_HEIGHT = 84;

type PhraseInboxProps = { businessId: string; role: string; services: Service[] };

/** Phrases of callers that match no single service, to be made an alias or dismissed. */
export function PhraseInbox({ businessId, role, services }: PhraseInboxProps) {
  const [aside, setAside] = useState(false);
  return (
    <Card
      title={aside ? 'Phrases put aside' : 'Phrases not understood'}
      flush
      overflow="visible"
      action={
        <Button variant="quiet" onClick={() => setAside(!aside)}>
          {aside ? 'Show open' : 'Show put aside'}
        </Button>
      }
    >
      <Phrases
        key={String(aside)}
        businessId={businessId}
        aside={aside}
        services={services}
        settles={may(MatchingAccess.resolvePhrase, role)}
      />
    </Card>
  );
}

type PhrasesProps = { businessId: string; aside: boolean; services: Service[]; settles: boolean };

function Phrases({ businessId, aside, services, settles }: PhrasesProps) {
  const query = useInfiniteQuery(phrasePages(businessId, aside));
  const settling = useSettling(businessId);
  const now = useNow(MINUTE_MS);
  return (
    <>
      <Reading query={query} what="The phrases" skeleton={<RowsSkeleton rows={2} label="Loading phrases" />}>
        {({ pages }) => {
          const phrases = inOrder(
            pages.flatMap((page) => page.phrases),
            settling.settled.map(({ phrase }) => phrase),
          );
          if (phrases.length === 0) return <Understood aside={aside} />;
          return (
            <LongList
              items={phrases}
              keyOf={({ id }) => id}
              rowHeight={ROW_HEIGHT}
              label={aside ? 'Phrases put aside' : 'Phrases'}
            >
              {(phrase) => (
                <PhraseRow
                  businessId={businessId}
                  phrase={phrase}
                  services={services}
                  settles={settles}
                  settling={settling}
                  now={now}
                />
              )}
            </LongList>
          );
        }}
      </Reading>
      {query.hasNextPage && (
        <Flex justify="center" py="3" borderTop="1px solid" borderColor="line">
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
        </Flex>
      )}
    </>
  );
}

/** A low empty state, so that the figures stay in view. */
function Understood({ aside }: { aside: boolean }) {
  return (
    <Flex gap="3" align="center" px={{ base: '4', sm: '6' }} pb="4" color="fg.muted">
      <CircleCheck size={20} style={{ flexShrink: 0 }} aria-hidden />
      <Muted>
        {aside
          ? 'Nothing was put aside.'
          : 'Nothing to sort out. Phrases of callers that match no service appear here.'}
      </Muted>
    </Flex>
  );
}
