import { chakra } from '@chakra-ui/react';
import { CalendarRange, CircleHelp, Lock, MoreHorizontal, Printer, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu, MenuLine } from '../ui/menu';
import { DayMenuItem } from './day-menu-item';
import { PanelCount } from './panels/panel-count';
import { PANEL_ICONS, PANEL_KEYS, PANEL_NAMES, type PanelCounts, type PanelKind } from './panels/panels';

export type DayMenuProps = {
  panels: readonly PanelKind[];
  counts: PanelCounts;
  onPanel: (panel: PanelKind) => void;
  /** Undefined until the day is read, or without the permission. */
  onFind: (() => void) | undefined;
  onWhyNot: (() => void) | undefined;
  onBlock: (() => void) | undefined;
  onPrint: (() => void) | undefined;
  onMonth: (() => void) | undefined;
};

/** What can be done with a day and what can stand beside it, where there is no room for buttons. */
export function DayMenu(props: DayMenuProps & { children: ReactNode }) {
  const { panels, counts, onPanel, onFind, onWhyNot, onBlock, onPrint, onMonth, children } = props;
  const total = panels.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
  return (
    <Menu
      label={total > 0 ? `More for this day, ${total} to look at` : 'More for this day'}
      align="end"
      triggerProps={{ position: 'relative', justifyContent: 'center' }}
      trigger={
        <>
          <MoreHorizontal size={22} aria-hidden />
          {total > 0 && <Count total={total} />}
        </>
      }
    >
      {onFind && <DayMenuItem icon={Search} letter="/" text="Find a visit…" onPick={onFind} />}
      {onWhyNot && <DayMenuItem icon={CircleHelp} letter="y" text="Why not?…" onPick={onWhyNot} />}
      {onBlock && <DayMenuItem icon={Lock} letter="b" text="Block time…" onPick={onBlock} />}
      {onMonth && <DayMenuItem icon={CalendarRange} letter="v" text="Month view" onPick={onMonth} />}
      {onPrint && <DayMenuItem icon={Printer} letter="Ctrl+p" text="Print…" onPick={onPrint} />}
      {onFind && panels.length > 0 && <MenuLine />}
      {panels.map((kind) => (
        <DayMenuItem
          key={kind}
          icon={PANEL_ICONS[kind]}
          letter={PANEL_KEYS[kind]}
          text={PANEL_NAMES[kind]}
          aside={<PanelCount kind={kind} count={counts[kind] ?? 0} />}
          onPick={() => onPanel(kind)}
        />
      ))}
      {(onFind || panels.length > 0) && <MenuLine />}
      {children}
    </Menu>
  );
}

/** How much in the menu is worth a look; its button says so as well. */
function Count({ total }: { total: number }) {
  return (
    <chakra.span
      position="absolute"
      top="0"
      insetInlineEnd="0"
      minWidth="20px"
      px="1"
      borderRadius="full"
      bg="warn.subtle"
      color="warn.fg"
      fontSize="0.75rem"
      fontWeight="650"
      lineHeight="20px"
      textAlign="center"
      aria-hidden
    >
      {total}
    </chakra.span>
  );
}
