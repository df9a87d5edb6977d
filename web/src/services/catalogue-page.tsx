import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { Button } from '../ui/button';
import { Surface } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { type CatalogueTab, CatalogueTabs } from './catalogue-tabs';

type CataloguePageProps<T> = {
  businessId: string;
  role: string | undefined;
  title: CatalogueTab;
  lead: string;
  /** What adds one, for those who may. */
  add: { text: string; run: () => void } | undefined;
  query: UseQueryResult<T> | UseInfiniteQueryResult<T>;
  children: (data: T) => ReactNode;
};

const ROWS = 6;

/** A list of the catalogue: tabs, the button to add a record, and the list in its four states. */
export function CataloguePage<T>({
  businessId,
  role,
  title,
  lead,
  add,
  query,
  children,
}: CataloguePageProps<T>) {
  const what = title.toLowerCase();
  return (
    <Page
      title={title}
      lead={lead}
      action={
        add && (
          <Button variant="contained" onClick={add.run}>
            <Plus size={20} aria-hidden />
            {add.text}
          </Button>
        )
      }
    >
      <CatalogueTabs businessId={businessId} role={role} current={title} />
      <Reading
        query={query}
        what={`The ${what}`}
        framed
        missingIsPage
        skeleton={
          <Surface>
            <RowsSkeleton rows={ROWS} label={`Loading ${what}`} />
          </Surface>
        }
      >
        {children}
      </Reading>
    </Page>
  );
}
