import { useInfiniteQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import { Note } from '../ui/states';
import { strandedPages } from './queries';

/** How many customers come while their employee is not at work; renders nothing without any. */
export function StrandedNote({ businessId }: { businessId: string }) {
  const count = useInfiniteQuery(strandedPages(businessId)).data?.pages[0]?.total ?? 0;
  if (count === 0) return null;
  return (
    <Note
      tone="warn"
      icon={TriangleAlert}
      action={<TextLink to={paths.inbox(businessId)}>Settle in the inbox</TextLink>}
    >
      {count === 1
        ? '1 customer is booked while the employee is not at work.'
        : `${count} customers are booked while their employee is not at work.`}
    </Note>
  );
}
