import { chakra, Flex } from '@chakra-ui/react';
import {
  CircleHelp,
  Hourglass,
  Lock,
  type LucideIcon,
  MoreHorizontal,
  Search,
  Sparkles,
  TriangleAlert,
} from 'lucide-react';
import { ServiceOptions } from '../booking/service-options';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { Button } from '../ui/button';
import { Menu, MenuItem } from '../ui/menu';
import { ScreenReaderOnly } from '../ui/text';
import { control } from './toolbar';

export const PANELS = ['waitlist', 'conflicts', 'optimise'] as const;
export type PanelKind = (typeof PANELS)[number];

export const PANEL_NAMES: Record<PanelKind, string> = {
  waitlist: 'Waitlist',
  conflicts: 'Conflicts',
  optimise: 'Optimise day',
};

/** The letter that opens and closes each. */
export const PANEL_KEYS: Record<PanelKind, string> = { waitlist: 'w', conflicts: 'x', optimise: 'o' };

const ICONS: Record<PanelKind, LucideIcon> = {
  waitlist: Hourglass,
  conflicts: TriangleAlert,
  optimise: Sparkles,
};

const Choice = chakra('select', { base: { ...control, maxWidth: '14rem', cursor: 'pointer' } });

type DayToolsProps = {
  /** What free times can be shown for; none where they have no place to stand. */
  services: Service[];
  serviceId: string;
  panels: readonly PanelKind[];
  panel: PanelKind | undefined;
  counts: Partial<Record<PanelKind, number>>;
  onService: (serviceId: string) => void;
  onPanel: (panel: PanelKind) => void;
  onFind: () => void;
  onWhyNot: (() => void) | undefined;
  onBlock: (() => void) | undefined;
};

/** What is looked for on the day, what else can be done with it, and what can stand beside it. */
export function DayTools(props: DayToolsProps) {
  const { services, serviceId, panels, panel, counts } = props;
  const { onService, onPanel, onFind, onWhyNot, onBlock } = props;
  return (
    <Flex gap="2" wrap="wrap" align="center">
      {services.length > 0 && (
        <Choice
          aria-label="Free times for"
          value={serviceId}
          onChange={(event) => onService(event.currentTarget.value)}
        >
          <option value="">Free times for…</option>
          <ServiceOptions services={services} />
        </Choice>
      )}
      <Button variant="quiet" minHeight="11" aria-keyshortcuts="/" title="Find a visit (/)" onClick={onFind}>
        <Search size={18} aria-hidden />
        Find
      </Button>
      {(onWhyNot || onBlock) && (
        <Menu label="More for this day" trigger={<MoreHorizontal size={20} aria-hidden />}>
          {(close) => (
            <>
              {onWhyNot && (
                <Item icon={CircleHelp} letter="?" text="Why not?…" onPick={onWhyNot} close={close} />
              )}
              {onBlock && <Item icon={Lock} letter="b" text="Block time…" onPick={onBlock} close={close} />}
            </>
          )}
        </Menu>
      )}
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

type ItemProps = { icon: LucideIcon; letter: string; text: string; onPick: () => void; close: () => void };

function Item({ icon: Icon, letter, text, onPick, close }: ItemProps) {
  return (
    <MenuItem
      type="button"
      role="menuitem"
      aria-keyshortcuts={letter}
      onClick={() => {
        close();
        onPick();
      }}
    >
      <Icon size={18} aria-hidden />
      {text}
      <chakra.kbd ms="auto" color="fg.muted" fontFamily="mono" fontSize="0.8125rem" aria-hidden>
        {letter}
      </chakra.kbd>
    </MenuItem>
  );
}

type ToggleProps = { kind: PanelKind; on: boolean; count: number; onToggle: () => void };

function Toggle({ kind, on, count, onToggle }: ToggleProps) {
  const Icon = ICONS[kind];
  const letter = PANEL_KEYS[kind];
  return (
    <Button
      variant="quiet"
      minHeight="11"
      px={{ base: '2', sm: '3' }}
      aria-pressed={on}
      aria-keyshortcuts={letter}
      title={`${PANEL_NAMES[kind]} (${letter})`}
      bg={on ? 'brand.subtle' : undefined}
      color={on ? 'brand.fg' : undefined}
      onClick={onToggle}
    >
      <Icon size={18} aria-hidden />
      {PANEL_NAMES[kind]}
      {count > 0 && (
        <chakra.span
          minWidth="5"
          px="1.5"
          borderRadius="full"
          bg={kind === 'conflicts' ? 'warn.subtle' : 'brand.subtle'}
          color={kind === 'conflicts' ? 'warn.fg' : 'brand.fg'}
          fontSize="0.8125rem"
          fontWeight="650"
          lineHeight="1.5"
          textAlign="center"
        >
          {count}
          <ScreenReaderOnly> on this day</ScreenReaderOnly>
        </chakra.span>
      )}
    </Button>
  );
}
