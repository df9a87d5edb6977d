import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useAction } from '../api/action';
import { call } from '../api/call';
import { changePages } from '../api/pages';
import { methodKey } from '../api/query';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { MatchingService, type UnmatchedPhrase } from '../gen/frontdesk/scheduling/v1/matching_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { Leaving } from '../services/leaving';
import { showService } from '../services/queries';
import { toasts } from '../ui/toasts';
import { phrasePages } from './queries';

/** A phrase that means a service now. */
export type Settled = {
  phrase: UnmatchedPhrase;
  service: Pick<Service, 'id' | 'name'>;
  /** The service was not called so before: taking the alias away takes nothing else away. */
  undoable: boolean;
};

const { listUnmatchedPhrases, matchServices, removeServiceAlias, resolvePhrase } = MatchingService.method;

/** Settles the phrases of this page: shown at once, and reverted with the reason when refused. */
export function useSettling(businessId: string) {
  const queries = useQueryClient();
  const [settled, setSettled] = useState<readonly Settled[]>([]);
  const [refusals, setRefusals] = useState<Readonly<Record<string, string>>>({});
  const unsettle = (phraseId: string | undefined) =>
    setSettled((before) => before.filter(({ phrase }) => phrase.id !== phraseId));
  const readAgain = () => {
    const stale = new Set([listUnmatchedPhrases, matchServices].map(methodKey));
    void queries.invalidateQueries({ predicate: ({ queryKey }) => stale.has(String(queryKey[0])) });
  };

  const resolve = useAction(resolvePhrase, {
    onDone: ({ service }) => {
      if (service) showService(queries, businessId, service);
      readAgain();
    },
    onRefused: (error, { phraseId = '' }) => {
      unsettle(phraseId);
      setRefusals((before) => ({ ...before, [phraseId]: whyNot(error) }));
      readAgain();
    },
  });
  const remove = useAction(removeServiceAlias, {
    onDone: ({ service }, { alias }) => {
      unsettle(settled.find(({ phrase }) => phrase.phrase === alias)?.phrase.id);
      if (service) showService(queries, businessId, service);
      readAgain();
      toasts.show('info', `Undone. “${alias}” comes back here when a caller says it again.`);
    },
    onRefused: (error) => toasts.show('bad', messageOf(error, 'The alias could not be taken away.')),
  });
  const { ids: leaving, dismiss, keep } = useDismissing(businessId);

  return {
    settled,
    refusals,
    leaving,
    dismiss,
    keep,
    /** A running change can't be undone yet, nor undone twice. */
    busy: resolve.running || remove.running,
    settle: (phrase: UnmatchedPhrase, service: Service) => {
      setRefusals(({ [phrase.id]: _, ...others }) => others);
      const undoable = !service.aliases.includes(phrase.phrase);
      setSettled((before) => [...before, { phrase, service, undoable }]);
      resolve.act({ businessId, phraseId: phrase.id, serviceId: service.id });
    },
    undo: ({ phrase, service }: Settled) =>
      remove.act({ businessId, serviceId: service.id, alias: phrase.phrase }),
  };
}

export type Settling = ReturnType<typeof useSettling>;

/** The contract can't restore a dismissed phrase: the call waits until the time to undo it is over. */
function useDismissing(businessId: string) {
  const queries = useQueryClient();
  const [leaving] = useState(
    () =>
      new Leaving(async (phraseId) => {
        changePages(queries, phrasePages(businessId, false), 'phrases', (shown) =>
          shown.filter(({ id }) => id !== phraseId),
        );
        try {
          await call(resolvePhrase, { businessId, phraseId });
        } catch (error) {
          toasts.show('bad', messageOf(error, 'The phrase could not be put aside.'));
        }
        const list = methodKey(listUnmatchedPhrases);
        void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === list });
      }),
  );
  useEffect(() => () => leaving.flush(), [leaving]);
  const ids = useSyncExternalStore(leaving.subscribe, () => leaving.ids);
  return { ids, dismiss: (id: string) => leaving.start(id), keep: (id: string) => leaving.keep(id) };
}

/** "The service has 20 aliases already." */
function whyNot(error: unknown): string {
  return fieldErrorsOf(error).serviceId || messageOf(error, 'The phrase could not be made an alias.');
}
