import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { Allowed } from '../business/allowed';
import { ImportAccess } from '../gen/access';
import type { ImportKind } from '../gen/frontdesk/tenancy/v1/import_pb';
import { Page } from '../layout/page';
import { PageSkeleton } from '../layout/skeletons';
import { ImportFlow } from './import-flow';
import type { ImportWords } from './import-words';

type ImportPageProps = {
  kind: ImportKind;
  words: ImportWords;
  /** Where to look at what was imported. */
  done: (businessId: string) => ReactNode;
};

/** The page on which managers import records of a kind. */
export function ImportPage({ kind, words, done }: ImportPageProps) {
  const { businessId = '' } = useParams();
  return (
    <Allowed
      businessId={businessId}
      least={ImportAccess.createImport}
      waiting={<PageSkeleton kind="businessDetail" />}
    >
      {() => (
        <Page title={`Import ${words.many}`}>
          <ImportFlow businessId={businessId} kind={kind} words={words} done={done(businessId)} />
        </Page>
      )}
    </Allowed>
  );
}
