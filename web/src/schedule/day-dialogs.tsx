import type { Column, Person } from '../day/columns';
import type { Span } from '../day/spans';
import type { Catalogue } from '../day/visit-cards';
import type { DayBlock } from '../gen/frontdesk/scheduling/v1/day_pb';
import { AbsenceDialog } from '../proposals/absence-dialog';
import { InTheWay } from '../proposals/proposal-dialog';
import { MoveSeriesDialog } from '../series/move-series-dialog';
import { BlockDetails } from './blocks/block-details';
import { BlockDialog } from './blocks/block-dialog';
import { BesideDialog } from './visit/beside-dialog';
import type { Beside, Squeeze } from './visit/squeeze';
import { SqueezeDialog } from './visit/squeeze-dialog';
import type { SeriesQuestion } from './visit/use-moves';
import { type Place, WhyNotDialog } from './why-not/why-not-dialog';

/** The dialog that is open over the day. */
export type Opened =
  | { kind: 'why'; at: Place }
  | { kind: 'block'; day: string; employeeId: string; span: Span }
  | { kind: 'blocked'; blockId: string }
  | { kind: 'squeeze'; wish: Squeeze }
  | { kind: 'beside'; wish: Beside }
  | { kind: 'series'; question: SeriesQuestion }
  | { kind: 'away'; day: string; employeeId: string }
  | { kind: 'inTheWay'; proposalId: string };

type DayDialogsProps = {
  businessId: string;
  zone: string;
  role: string;
  opened: Opened;
  columns: readonly Column[];
  employees: readonly Person[];
  catalogue: Catalogue;
  blocks: readonly DayBlock[];
  /** Whose time the viewer may block. */
  blockable: readonly Person[];
  onBook: ((place: Place) => void) | undefined;
  onSqueeze: ((place: Place) => void) | undefined;
  onOpenBlock: (blockId: string) => void;
  onClose: () => void;
};

export function DayDialogs({ opened, ...props }: DayDialogsProps) {
  const { businessId, zone, blocks, blockable, onClose } = props;
  switch (opened.kind) {
    case 'why':
      return <WhyNotDialog {...props} at={opened.at} />;
    case 'block':
      return (
        <BlockDialog
          {...props}
          employees={blockable}
          day={opened.day}
          employeeId={opened.employeeId}
          from={opened.span.from}
          to={opened.span.to}
        />
      );
    case 'blocked': {
      const found = blocks.find(({ block }) => block?.id === opened.blockId);
      return found?.block && <BlockDetails {...props} block={found.block} mayUnblock={found.mayUnblock} />;
    }
    case 'squeeze':
      return <SqueezeDialog {...props} wish={opened.wish} />;
    case 'beside':
      return <BesideDialog {...props} wish={opened.wish} />;
    case 'series': {
      const { onOne, onDone, onClose: onLeave, ...change } = opened.question;
      const closing = (then: () => void) => () => {
        onClose();
        then();
      };
      return (
        <MoveSeriesDialog
          businessId={businessId}
          zone={zone}
          {...change}
          onOne={closing(onOne)}
          onDone={closing(onDone)}
          onClose={closing(onLeave)}
        />
      );
    }
    case 'away':
      return (
        <AbsenceDialog
          businessId={businessId}
          zone={zone}
          employeeId={opened.employeeId}
          day={opened.day}
          onClose={onClose}
        />
      );
    case 'inTheWay':
      return (
        <InTheWay businessId={businessId} proposalId={opened.proposalId} zone={zone} onClose={onClose} />
      );
  }
}
