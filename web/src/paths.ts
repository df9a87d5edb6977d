/** The only place that spells addresses. */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a path segment can be the id of a record at all. */
export function isId(segment: string | undefined): segment is string {
  return segment !== undefined && UUID.test(segment);
}

export const paths = {
  root: '/',
  onboarding: '/onboarding',
  /** Connecting a calendar; with a business and a calendar, the first reading of that one. */
  onboardingFlow: (business?: string, calendar?: string) => {
    const search = new URLSearchParams({ ...(business && { business }), ...(calendar && { calendar }) });
    return search.size > 0 ? `/onboarding/flow?${search}` : '/onboarding/flow';
  },
  onboardingConsent: (state: string) => `/onboarding/oauth-mock?${new URLSearchParams({ state })}`,
  onboardingCallback: (answer: Record<string, string>) =>
    `/onboarding/oauth-callback?${new URLSearchParams(answer)}`,
  login: '/login',
  authCallback: '/auth/callback',
  register: '/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  privacy: '/privacy',
  demo: '/demo',
  debug: '/debug',
  myBusinesses: '/my/businesses',
  myAccount: '/my/account',
  admin: '/admin',
  adminBusinesses: '/admin/businesses',
  adminCreateBusiness: (businessId?: string, step?: string) => {
    const search = new URLSearchParams({
      ...(businessId && { business: businessId }),
      ...(step && { step }),
    });
    return search.size > 0 ? `/admin/businesses/create?${search}` : '/admin/businesses/create';
  },
  adminHealth: '/admin/biz',
  adminScheduling: (businessId?: string) =>
    businessId ? `/admin/salon-scheduling/${businessId}` : '/admin/salon-scheduling',
  adminTeam: (businessId?: string) =>
    businessId ? `/admin/schedule?business=${businessId}` : '/admin/schedule',
  adminTeamMember: (businessId: string, employeeId: string) =>
    `/admin/schedule/employee/${employeeId}?business=${businessId}`,
  adminEmployees: (businessId?: string) =>
    businessId ? `/admin/employee-management?business=${businessId}` : '/admin/employee-management',
  adminDependencies: '/admin/dependencies',
  adminPairings: '/admin/service-pairings',
  adminScheduleCheck: '/admin/schedule-check-test',
  adminAppointmentSync: '/admin/appointment-sync',
  adminConsistency: '/admin/saloniq-consistency',
  adminProviderCredentials: (businessId: string) => `/admin/provider-credentials/${businessId}`,
  adminProviderSync: '/admin/provider-sync',
  adminProviderAvailability: '/admin/provider-availability',
  adminIntelligence: (businessId?: string) =>
    businessId ? `/admin/service-intelligence/${businessId}` : '/admin/service-intelligence',
  adminInsights: '/admin/insights',
  adminAgentSettings: (businessId: string) => `/admin/businesses/${businessId}/agent-settings`,
  adminEvents: '/admin/event-tracking',
  components: '/components',
  adminComponents: '/admin/components',
  business: (businessId: string) => `/${businessId}`,
  schedule: (businessId: string) => `/${businessId}/schedule`,
  /** The calls, or those that pass filters: the query of the address. */
  calls: (businessId: string, query = '') => `/${businessId}/calls${query && `?${query}`}`,
  call: (businessId: string, callId: string) => `/${businessId}/calls/${callId}`,
  /** No page of its own: what the pages of appointments stand under. */
  appointments: (businessId: string) => `/${businessId}/appointments`,
  appointmentImport: (businessId: string) => `/${businessId}/appointments/import`,
  appointment: (businessId: string, appointmentId: string) => `/${businessId}/appointments/${appointmentId}`,
  customers: (businessId: string) => `/${businessId}/customers`,
  customer: (businessId: string, customerId: string) => `/${businessId}/customers/${customerId}`,
  customerImport: (businessId: string) => `/${businessId}/customers/import`,
  items: (businessId: string) => `/${businessId}/items`,
  item: (businessId: string, itemId: string) => `/${businessId}/items/${itemId}`,
  itemImport: (businessId: string) => `/${businessId}/items/import`,
  services: (businessId: string) => `/${businessId}/services`,
  waitlist: (businessId: string) => `/${businessId}/waitlist`,
  inbox: (businessId: string) => `/${businessId}/inbox`,
  resources: (businessId: string) => `/${businessId}/services?tab=resources`,
  dependencies: (businessId: string) => `/${businessId}/dependencies`,
  pairings: (businessId: string) => `/${businessId}/pairings`,
  scheduleCheck: (businessId: string) => `/${businessId}/schedule-check`,
  appointmentSync: (businessId: string) => `/${businessId}/appointment-sync`,
  consistency: (businessId: string) => `/${businessId}/consistency`,
  providerCredentials: (businessId: string) => `/${businessId}/provider-credentials`,
  providerSync: (businessId: string) => `/${businessId}/provider-sync`,
  providerAvailability: (businessId: string) => `/${businessId}/provider-availability`,
  intelligence: (businessId: string) => `/${businessId}/intelligence`,
  agent: (businessId: string) => `/${businessId}/agent`,
  agentReplay: (businessId: string, callId: string) => `/${businessId}/agent?replay=${callId}`,
  insights: (businessId: string) => `/${businessId}/insights`,
  team: (businessId: string) => `/${businessId}/team`,
  teamMember: (businessId: string, employeeId: string) => `/${businessId}/team/${employeeId}`,
  details: (businessId: string, tab?: 'team' | 'hours' | 'agent' | 'integrations' | 'audit') =>
    tab ? `/${businessId}/details?tab=${tab}` : `/${businessId}/details`,
  /** Who changed one record. */
  audit: (businessId: string, recordId: string) => `/${businessId}/details?tab=audit&record=${recordId}`,
  members: (businessId: string) => `/${businessId}/members`,
} as const;

/** Paths inside this application only: a deep link must not lead elsewhere. */
export function isOwnPath(path: unknown): path is string {
  return typeof path === 'string' && /^\/(?![/\\])/.test(path);
}
