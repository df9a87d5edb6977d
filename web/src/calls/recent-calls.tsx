import { Box } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { PhoneCall } from 'lucide-react';
import { TextLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { Card } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { CallRow } from './call-row';
import { recentCallsQuery } from './queries';

/** Only a few: the full list has a page of its own. */
const SHOWN = 6;

/** The last calls, those on the line first of all. */
export function RecentCalls({ businessId, zone }: { businessId: string; zone: string }) {
  const query = useQuery(recentCallsQuery(businessId));
  return (
    <Card title="Calls" flush action={<TextLink to={paths.calls(businessId)}>All calls</TextLink>}>
      <Reading query={query} what="The calls" skeleton={<RowsSkeleton rows={4} label="Loading calls" />}>
        {({ calls }) =>
          calls.length === 0 ? (
            <Empty icon={PhoneCall} title="No calls yet">
              Calls appear here as they come in.
            </Empty>
          ) : (
            <Box as="ul" listStyleType="none">
              {calls.slice(0, SHOWN).map((call) => (
                <li key={call.id}>
                  <CallRow call={call} businessId={businessId} zone={zone} compact withDay />
                </li>
              ))}
            </Box>
          )
        }
      </Reading>
    </Card>
  );
}
