import { Surface } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';

/** People and their hours on their way. */
export function TeamSkeleton() {
  return (
    <Surface py="2">
      <RowsSkeleton rows={6} label="Loading the team" />
    </Surface>
  );
}
