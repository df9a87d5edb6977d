import { useQuery } from '@tanstack/react-query';
import { Plug, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { upcomingText } from '../calendars/cleanup';
import type { ProviderConnection } from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { ButtonLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { Surface } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { connectionsQuery } from './queries';

type WithConnectionProps = {
  businessId: string;
  /** Where one is made. */
  credentials: string;
  children: (connection: ProviderConnection) => ReactNode;
};

/** The page of a business's booking system, once one is connected. */
export function WithConnection({ businessId, credentials, children }: WithConnectionProps) {
  const query = useQuery(connectionsQuery(businessId));
  return (
    <Reading
      query={query}
      what="The booking system"
      framed
      missingIsPage
      skeleton={
        <Surface>
          <RowsSkeleton rows={3} label="Loading the booking system" />
        </Surface>
      }
    >
      {({ connections: [connection] }) =>
        connection?.cleanup ? (
          <Surface>
            <Empty
              icon={Unplug}
              title={`${connection.label} is being disconnected`}
              action={<ButtonLink to={credentials}>See how far that is</ButtonLink>}
            >
              {`${upcomingText(connection.cleanup.leftCount)} that Frontdesk wrote ${connection.cleanup.leftCount === 1 ? 'is' : 'are'} still to be cancelled there.`}
            </Empty>
          </Surface>
        ) : connection ? (
          children(connection)
        ) : (
          <Surface>
            <Empty
              icon={Plug}
              title="No booking system is connected"
              action={<ButtonLink to={credentials}>Connect one</ButtonLink>}
            >
              Once one is, its employees and appointments are kept in step with the book.
            </Empty>
          </Surface>
        )
      }
    </Reading>
  );
}
