import type {
  Appointment,
  AppointmentStep,
  DelayWindow,
  UndoableChange,
} from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Contact } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import type { Entry } from './history';
import type { Move } from './use-panel-moves';

/** What the panel of a visit is told. */
export type VisitPanelProps = {
  businessId: string;
  visit: Appointment;
  zone: string;
  role: string;
  /** The states that it may be brought to, and the one that a wrong click can be taken back to. */
  steps: readonly AppointmentStep[];
  stepBack: AppointmentStep | undefined;
  delayWindow: DelayWindow | undefined;
  history: readonly Entry[];
  /** The viewer's latest change of it, while that can be taken back. */
  undoable?: UndoableChange | undefined;
  contacts: readonly Contact[];
  /** The page says when the visit is. */
  titled?: boolean;
  /** The page that is open is its day. */
  onDay?: boolean;
  /** Moves it at once on the page that shows it. */
  onMove?: Move;
  /** It was moved by its form. */
  onMoved?: () => void;
};
