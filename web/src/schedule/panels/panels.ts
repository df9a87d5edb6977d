import { CalendarX2, Hourglass, type LucideIcon, Sparkles, TriangleAlert } from 'lucide-react';

/** What can stand beside a day. */
export const PANELS = ['stranded', 'waitlist', 'conflicts', 'optimise'] as const;
export type PanelKind = (typeof PANELS)[number];

export const PANEL_NAMES: Record<PanelKind, string> = {
  stranded: 'To be moved',
  waitlist: 'Waitlist',
  conflicts: 'Conflicts',
  optimise: 'Optimise day',
};

/** The letter that opens and closes each. */
export const PANEL_KEYS: Record<PanelKind, string> = {
  stranded: 'm',
  waitlist: 'w',
  conflicts: 'x',
  optimise: 'o',
};

export const PANEL_ICONS: Record<PanelKind, LucideIcon> = {
  stranded: CalendarX2,
  waitlist: Hourglass,
  conflicts: TriangleAlert,
  optimise: Sparkles,
};

/** How much there is in each on a day. */
export type PanelCounts = Partial<Record<PanelKind, number>>;
