import {
  BookUser,
  Bot,
  Building2,
  CalendarDays,
  ChartColumn,
  ContactRound,
  Hourglass,
  House,
  Inbox,
  type LucideIcon,
  Package,
  PhoneCall,
  Scissors,
  Settings,
  ShieldCheck,
  Store,
  Users,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { may } from '../api/access';
import {
  AgentSettingsAccess,
  AppointmentAccess,
  BusinessAccess,
  CallAccess,
  CatalogueAccess,
  CustomerAccess,
  InsightAccess,
  ItemAccess,
  MemberAccess,
  ScheduleAccess,
  WaitlistAccess,
} from '../gen/access';
import { paths } from '../paths';
import { isAdmin } from '../session/roles';

export type Destination = {
  label: string;
  /** The short label, for narrow screens. */
  short?: string;
  to: string;
  icon: LucideIcon;
  exact?: boolean;
  /** Pages beside it that belong to it. */
  parts?: string[];
  /** The number beside the link. */
  count?: Count;
};

/** At the end of a line, or on the corner of an icon. */
export type CountPlace = 'end' | 'corner';
type Count = (at: CountPlace) => ReactNode;

/** Whether an address is one of its pages. */
export function isWithin({ to, exact, parts = [] }: Destination, pathname: string): boolean {
  const pages = exact ? [] : [to, ...parts];
  return pathname === to || pages.some((page) => `${pathname}/`.startsWith(`${page}/`));
}

/** The pages of a business that the role may open. */
export function businessDestinations(businessId: string, role: string, inboxCount?: Count): Destination[] {
  const all: (Destination & { allowed: boolean })[] = [
    { label: 'Home', to: paths.business(businessId), icon: House, exact: true, allowed: true },
    {
      label: 'Schedule',
      to: paths.schedule(businessId),
      parts: [paths.appointments(businessId)],
      icon: CalendarDays,
      allowed: may(AppointmentAccess.listAppointments, role),
    },
    {
      label: 'Calls',
      to: paths.calls(businessId),
      icon: PhoneCall,
      allowed: may(CallAccess.listCalls, role),
    },
    {
      label: 'Inbox',
      to: paths.inbox(businessId),
      icon: Inbox,
      ...(inboxCount && { count: inboxCount }),
      allowed: may(AppointmentAccess.listConflicts, role),
    },
    {
      label: 'Customers',
      to: paths.customers(businessId),
      icon: BookUser,
      allowed: may(CustomerAccess.listCustomers, role),
    },
    {
      label: 'Waitlist',
      to: paths.waitlist(businessId),
      icon: Hourglass,
      allowed: may(WaitlistAccess.listWaitlist, role),
    },
    {
      label: 'Team',
      to: paths.team(businessId),
      icon: ContactRound,
      allowed: may(ScheduleAccess.listWeeklySchedules, role),
    },
    {
      label: 'Services',
      to: paths.services(businessId),
      parts: [paths.dependencies, paths.pairings, paths.scheduleCheck, paths.intelligence].map((part) =>
        part(businessId),
      ),
      icon: Scissors,
      allowed: may(CatalogueAccess.listServices, role),
    },
    {
      label: 'Insights',
      to: paths.insights(businessId),
      icon: ChartColumn,
      allowed: may(InsightAccess.getInsights, role),
    },
    {
      label: 'Items',
      to: paths.items(businessId),
      icon: Package,
      allowed: may(ItemAccess.listItems, role),
    },
    {
      label: 'Agent settings',
      to: paths.agent(businessId),
      icon: Bot,
      allowed: may(AgentSettingsAccess.getAgentSettings, role),
    },
    {
      label: 'Details',
      to: paths.details(businessId),
      icon: Settings,
      allowed: may(BusinessAccess.getBusiness, role),
    },
    {
      label: 'Members',
      to: paths.members(businessId),
      icon: Users,
      allowed: may(MemberAccess.listMembers, role),
    },
  ];
  return all.filter(({ allowed }) => allowed);
}

/** The pages outside a business. */
export function generalDestinations(role: string): Destination[] {
  const mine: Destination = {
    label: 'Your businesses',
    short: isAdmin(role) ? 'Mine' : 'Businesses',
    to: paths.myBusinesses,
    icon: Store,
  };
  if (!isAdmin(role)) return [mine];
  return [
    { label: 'Admin', to: paths.admin, icon: ShieldCheck, exact: true },
    { label: 'Businesses', to: paths.adminBusinesses, icon: Building2 },
    mine,
  ];
}
