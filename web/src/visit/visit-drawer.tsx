import { useQuery } from '@tanstack/react-query';
import { appointmentQuery } from '../appointments/queries';
import { customerOf } from '../day/naming';
import type { DayVisit } from '../gen/frontdesk/scheduling/v1/day_pb';
import { TextLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { Drawer } from '../ui/drawer';
import { RowsSkeleton } from '../ui/skeleton';
import { historyOf } from './history';
import type { Move } from './use-panel-moves';
import { VisitPanel } from './visit-panel';

type DrawerProps = {
  businessId: string;
  appointmentId: string;
  role: string;
  /** As it stands on the page, to be seen until all of it is read. */
  listed?: DayVisit | undefined;
  zone?: string;
  /** The page that is open is its day. */
  onDay?: boolean;
  /** Moves it at once on the page that shows it. */
  onMove?: Move;
  onClose: () => void;
};

/** A visit over the page that it was opened from. */
export function VisitDrawer(props: DrawerProps) {
  const { businessId, appointmentId, role, listed, onDay = false, onMove, onClose } = props;
  const query = useQuery(appointmentQuery(businessId, appointmentId));
  const { data } = query;
  const [read, shown] = [data?.appointment, listed?.appointment];
  const isAhead = read && shown && shown.version > read.version;
  const visit = isAhead ? shown : (read ?? shown);
  const isListed = visit === shown;
  const zone = data?.timeZone ?? props.zone ?? 'UTC';
  return (
    <Drawer title={visit ? customerOf(visit) : 'Visit'} onClose={onClose}>
      {visit ? (
        <>
          <VisitPanel
            businessId={businessId}
            visit={visit}
            zone={zone}
            role={role}
            steps={(isListed ? listed?.steps : data?.steps) ?? []}
            stepBack={isListed ? undefined : data?.stepBack}
            delayWindow={isListed ? listed?.delayWindow : data?.delayWindow}
            undoable={isListed ? undefined : data?.undoable}
            history={data ? historyOf(data, zone, new Date()) : []}
            contacts={data?.contacts ?? listed?.contacts ?? []}
            onDay={onDay}
            {...(onMove ? { onMove, onMoved: onClose } : {})}
          />
          <TextLink to={paths.appointment(businessId, visit.id)} display="inline-block" mt="5" py="2">
            Open full page
          </TextLink>
        </>
      ) : (
        <Reading query={query} what="This visit" skeleton={<RowsSkeleton rows={3} label="Loading visit" />}>
          {() => null}
        </Reading>
      )}
    </Drawer>
  );
}
