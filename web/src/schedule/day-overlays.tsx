import { fetchedAhead } from '../api/fetched-ahead';
import { type Column, employeesOf, type ScheduleData } from '../day/columns';
import { instantOf } from '../time/local';
import type { Opened } from './day-dialogs';
import type { NewVisit } from './grid/use-free';
import type { Moves } from './visit/use-moves';
import type { Place } from './why-not/why-not-dialog';

const DayDialogs = fetchedAhead(() => import('./day-dialogs').then(({ DayDialogs }) => DayDialogs));
const VisitDrawer = fetchedAhead(() =>
  import('../visit/visit-drawer').then(({ VisitDrawer }) => VisitDrawer),
);

type DayOverlaysProps = {
  businessId: string;
  zone: string;
  role: string;
  /** The visit whose drawer is open, or none. */
  visitId: string;
  opened: Opened | null;
  columns: readonly Column[];
  /** Nothing while another day is read; a drawer stays meanwhile. */
  data: ScheduleData | undefined;
  onMove: Moves['move'];
  onCreate: ((visit: NewVisit) => void) | undefined;
  onVisit: (appointmentId: string) => void;
  onOpen: (opened: Opened | null) => void;
};

/** The drawer of a visit and the dialogs of a day. Their code is fetched once the day is shown. */
export function DayOverlays(props: DayOverlaysProps) {
  const { visitId, opened, data, onMove, onCreate, onVisit, onOpen, ...known } = props;
  const { zone } = known;

  const book = ({ minute, ...place }: Place) => {
    onOpen(null);
    onCreate?.({ start: instantOf(place.day, minute, zone), ...place });
  };
  const squeeze = ({ day, minute, ...item }: Place) =>
    onOpen({
      kind: 'squeeze',
      wish: { start: instantOf(day, minute, zone), items: [{ ...item, guest: 0 }] },
    });
  return (
    <>
      {visitId && (
        <VisitDrawer
          key={visitId}
          businessId={known.businessId}
          zone={zone}
          role={known.role}
          appointmentId={visitId}
          listed={data?.visits.find(({ appointment }) => appointment?.id === visitId)}
          onDay
          onMove={onMove}
          onClose={() => onVisit('')}
        />
      )}
      {opened && data && (
        <DayDialogs
          {...known}
          opened={opened}
          employees={data.employees}
          catalogue={data.catalogue}
          blocks={data.blocks}
          blockable={employeesOf(data.columns.filter(({ mayBlock }) => mayBlock))}
          onBook={onCreate && book}
          onSqueeze={data.maySqueezeIn ? squeeze : undefined}
          onOpenBlock={(blockId) => onOpen({ kind: 'blocked', blockId })}
          onClose={() => onOpen(null)}
        />
      )}
    </>
  );
}
