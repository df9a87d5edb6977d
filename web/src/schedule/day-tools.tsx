import { Flex } from '@chakra-ui/react';
import { CircleHelp, Lock, MoreHorizontal, Printer, Search } from 'lucide-react';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { Button } from '../ui/button';
import { Menu } from '../ui/menu';
import { AbsentItem, type AbsentItemProps } from './absent-item';
import { DayMenuItem } from './day-menu-item';
import { FreeTimesFor } from './free-times-for';
import { PanelCount } from './panels/panel-count';
import { PANEL_ICONS, PANEL_KEYS, PANEL_NAMES, type PanelCounts, type PanelKind } from './panels/panels';

type DayToolsProps = AbsentItemProps & {
  /** What free times can be shown for; none where they have no place to stand. */
  services: Service[];
  serviceId: string;
  panels: readonly PanelKind[];
  panel: PanelKind | undefined;
  counts: PanelCounts;
  onService: (serviceId: string) => void;
  onPanel: (panel: PanelKind) => void;
  onFind: (() => void) | undefined;
  onWhyNot: (() => void) | undefined;
  onBlock: (() => void) | undefined;
  onPrint: () => void;
};

/** What is looked for on the day, what else can be done with it, and what can stand beside it. */
export function DayTools(props: DayToolsProps) {
  const { services, serviceId, panels, panel, counts, absent, absentShown } = props;
  const { onService, onPanel, onFind, onWhyNot, onBlock, onPrint, onAbsent } = props;
  return (
    <Flex gap="2" wrap="wrap" align="center">
      {services.length > 0 && (
        <FreeTimesFor services={services} serviceId={serviceId} onService={onService} />
      )}
      <Button variant="quiet" aria-keyshortcuts="/" title="Find a visit (/)" onClick={onFind}>
        <Search size={18} aria-hidden />
        Find
      </Button>
      <Menu label="More for this day" trigger={<MoreHorizontal size={20} aria-hidden />}>
        {onWhyNot && <DayMenuItem icon={CircleHelp} letter="y" text="Why not?…" onPick={onWhyNot} />}
        {onBlock && <DayMenuItem icon={Lock} letter="b" text="Block time…" onPick={onBlock} />}
        <DayMenuItem icon={Printer} letter="Ctrl+p" text="Print…" onPick={onPrint} />
        <AbsentItem {...{ absent, absentShown, onAbsent }} />
      </Menu>
      <Flex role="group" aria-label="Beside the day" gap="1" wrap="wrap" ms={{ lg: 'auto' }}>
        {panels.map((kind) => (
          <Toggle
            key={kind}
            kind={kind}
            on={panel === kind}
            count={counts[kind] ?? 0}
            onToggle={() => onPanel(kind)}
          />
        ))}
      </Flex>
    </Flex>
  );
}

type ToggleProps = { kind: PanelKind; on: boolean; count: number; onToggle: () => void };

function Toggle({ kind, on, count, onToggle }: ToggleProps) {
  const Icon = PANEL_ICONS[kind];
  const letter = PANEL_KEYS[kind];
  return (
    <Button
      variant="quiet"
      px="2"
      aria-pressed={on}
      aria-keyshortcuts={letter}
      title={`${PANEL_NAMES[kind]} (${letter})`}
      onClick={onToggle}
    >
      <Icon size={18} aria-hidden />
      {PANEL_NAMES[kind]}
      <PanelCount kind={kind} count={count} />
    </Button>
  );
}
