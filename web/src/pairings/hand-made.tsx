import { Flex } from '@chakra-ui/react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { HeartHandshake, Trash2 } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { may } from '../api/access';
import { intend, useAction } from '../api/action';
import { changePages } from '../api/pages';
import { methodKey } from '../api/query';
import { takingBack } from '../business/taking-back';
import { PairingAccess } from '../gen/access';
import { type Pairing, PairingService } from '../gen/frontdesk/scheduling/v1/pairing_pb';
import { messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { LongTable } from '../ui/long-table';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';
import { pairingPages } from './queries';

const ROW_HEIGHT = 65;

type HandMadeProps = {
  businessId: string;
  serviceId: string;
  role: string | undefined;
  action: ReactNode;
};

/** Pairings created by hand. */
export function HandMade({ businessId, serviceId, role, action }: HandMadeProps) {
  const query = useInfiniteQuery(pairingPages(businessId, serviceId));
  const remove = useDeleting(businessId, serviceId);
  const mayDelete = may(PairingAccess.deletePairing, role);
  return (
    <Card title="Made by hand" flush action={action}>
      <Reading
        query={query}
        what="The pairings"
        missingIsPage
        skeleton={<RowsSkeleton rows={3} label="Loading pairings" />}
      >
        {({ pages }) => {
          const pairings = pages.flatMap((page) => page.pairings);
          if (pairings.length === 0) {
            return (
              <Empty icon={HeartHandshake} title="No pairings made by hand">
                Until you add one, the agent suggests no other service.
              </Empty>
            );
          }
          return (
            <LongTable
              label="Pairings made by hand"
              minWidth="34rem"
              stacked
              head={
                <>
                  <th scope="col">Who books</th>
                  <th scope="col">Is offered</th>
                  <th scope="col">How to say it</th>
                  {mayDelete && <th scope="col" aria-label="Actions" />}
                </>
              }
              items={pairings}
              keyOf={({ id }) => id}
              rowHeight={ROW_HEIGHT}
            >
              {(pairing) => (
                <>
                  <th scope="row">{pairing.serviceName}</th>
                  <td data-label="Is offered">{pairing.suggestedServiceName}</td>
                  <td data-label="How to say it">{pairing.note}</td>
                  {mayDelete && (
                    <td data-figures>
                      <Button
                        variant="quiet"
                        aria-label={`Delete: ${pairing.suggestedServiceName} with ${pairing.serviceName}`}
                        onClick={() => remove(pairing)}
                      >
                        <Trash2 size={18} aria-hidden />
                      </Button>
                    </td>
                  )}
                </>
              )}
            </LongTable>
          );
        }}
      </Reading>
      {query.hasNextPage && (
        <Flex justify="center" py="3">
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
        </Flex>
      )}
    </Card>
  );
}

/** Removes a pairing at once, restores it when that is refused, and creates it again on undo. */
function useDeleting(businessId: string, serviceId: string) {
  const queries = useQueryClient();
  const readAgain = () => {
    const list = methodKey(PairingService.method.listPairings);
    void queries.invalidateQueries({ predicate: ({ queryKey: key }) => key[0] === list });
  };
  const removed = useRef(new Map<string, Pairing>());
  const takeBack = ({ serviceId, suggestedServiceId, note }: Pairing) =>
    takingBack(
      (key) =>
        intend(PairingService.method.createPairing, { businessId, serviceId, suggestedServiceId, note }, key),
      'The pairing is suggested again.',
      readAgain,
    );
  const remove = useAction(PairingService.method.deletePairing, {
    onDone: (_, { pairingId = '' }) => {
      readAgain();
      const pairing = removed.current.get(pairingId);
      toasts.show('good', 'The pairing is taken back.', pairing && undos.push(takeBack(pairing)));
    },
    onRefused: (error) => {
      readAgain();
      toasts.show('bad', messageOf(error, 'The pairing could not be taken back.'));
    },
  });
  return (pairing: Pairing) => {
    removed.current.set(pairing.id, pairing);
    changePages(queries, pairingPages(businessId, serviceId), 'pairings', (shown) =>
      shown.filter(({ id }) => id !== pairing.id),
    );
    remove.act({ businessId, pairingId: pairing.id });
  };
}
