import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import { Note } from '../ui/states';
import { strandedQuery } from './queries';

/** How many customers come while their employee is not at work; renders nothing without any. */
export function StrandedNote({ businessId }: { businessId: string }) {
  const count = useQuery(strandedQuery(businessId)).data?.stranded.length ?? 0;
  if (count === 0) return null;
  return (
    <Note
      tone="warn"
      icon={TriangleAlert}
      action={<TextLink to={paths.inbox(businessId)}>Settle in the inbox</TextLink>}
    >
      {count === 1 ? '1 customer has no employee.' : `${count} customers have no employee.`}
    </Note>
  );
}
