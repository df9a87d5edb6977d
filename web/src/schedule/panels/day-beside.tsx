import type { Column, Person } from '../../day/columns';
import type { Catalogue } from '../../day/visit-cards';
import type { DayVisit } from '../../gen/frontdesk/scheduling/v1/day_pb';
import { ConflictsPanel } from './conflicts-panel';
import { DayPanel } from './day-panel';
import { OptimisePanel } from './optimise-panel';
import { PANEL_NAMES, type PanelKind } from './panels';
import { StrandedPanel } from './stranded-panel';
import type { ToBeMoved } from './to-be-moved';
import { useOptimising } from './use-optimising';
import { WaitlistPanel } from './waitlist-panel';

type DayBesideProps = {
  kind: PanelKind;
  businessId: string;
  zone: string;
  role: string;
  day: string;
  today: string;
  columns: readonly Column[];
  visits: readonly DayVisit[];
  employees: readonly Person[];
  catalogue: Catalogue;
  stranded: readonly ToBeMoved[];
  onOpen: (appointmentId: string) => void;
  onClose: () => void;
};

/** The panel beside the day. */
export function DayBeside({ kind, stranded, onOpen, onClose, ...props }: DayBesideProps) {
  const optimising = useOptimising(props.businessId, props.day, kind);
  return (
    <DayPanel title={PANEL_NAMES[kind]} onClose={onClose}>
      {kind === 'stranded' && <StrandedPanel stranded={stranded} onOpen={onOpen} />}
      {kind === 'waitlist' && <WaitlistPanel {...props} />}
      {kind === 'conflicts' && <ConflictsPanel {...props} />}
      {kind === 'optimise' && <OptimisePanel key={props.day} {...props} optimising={optimising} />}
    </DayPanel>
  );
}
