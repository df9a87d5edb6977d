import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '../api/call';
import { methodKey } from '../api/query';
import { CatalogueService } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { DependencyService } from '../gen/frontdesk/scheduling/v1/dependency_pb';
import { messageOf } from '../http/errors';
import { toasts } from '../ui/toasts';
import { Leaving } from './leaving';
import { hideService, servicePages } from './queries';

/** The services of this page that are being taken off the list. */
export function useLeaving(businessId: string) {
  const queries = useQueryClient();
  const [leaving] = useState(
    () =>
      new Leaving(async (serviceId) => {
        hideService(queries, businessId, serviceId);
        try {
          await call(CatalogueService.method.archiveService, { businessId, serviceId });
        } catch (error) {
          toasts.show('bad', messageOf(error, 'The service could not be archived.'));
        }
        // Its rules went with it.
        const rules = methodKey(DependencyService.method.listDependencies);
        void queries.invalidateQueries({ queryKey: servicePages(businessId).queryKey });
        void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === rules });
      }),
  );
  useEffect(() => () => leaving.flush(), [leaving]);
  const ids = useSyncExternalStore(leaving.subscribe, () => leaving.ids);
  return { ids, archive: (id: string) => leaving.start(id), keep: (id: string) => leaving.keep(id) };
}
