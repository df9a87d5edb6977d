import { Badge } from '../ui/badge';
import { Muted } from '../ui/text';
import type { DueText } from './due';

type DueAndOwnerProps = { due: DueText | undefined; owner: string };

/** Due time and owner. */
export function DueAndOwner({ due, owner }: DueAndOwnerProps) {
  return (
    <>
      {due && (due.overdue ? <Badge tone="warn">{due.text}</Badge> : <Muted as="span">{due.text}</Muted>)}
      <Muted as="span">{owner}</Muted>
    </>
  );
}
