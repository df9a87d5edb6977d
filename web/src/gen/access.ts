// Generated from the access rules of the contract. A method without a row lets no person in.

export const AccountAdminAccess = {
  disableAccount: 'ADMIN',
  enableAccount: 'ADMIN',
  listAccountNames: 'ADMIN',
  listBusinessOwners: 'ADMIN',
} as const;

export const AccountAccess = {
  getMe: 'GUEST',
  listMyBusinessIds: 'GUEST',
  listMyMemberships: 'GUEST',
  renameMe: 'GUEST',
  changePassword: 'GUEST',
  changeEmail: 'GUEST',
  cancelEmailChange: 'GUEST',
  verifyEmail: 'GUEST',
  resendVerification: 'GUEST',
  acceptInvitation: 'GUEST',
  listIdentities: 'GUEST',
  connectIdentity: 'GUEST',
  disconnectIdentity: 'GUEST',
} as const;

export const AgentChatAccess = {
  startAgentChat: 'OWNER',
  getAgentChat: 'OWNER',
} as const;

export const AgentPublicationAccess = {
  listAgentPublications: 'OWNER',
  publishToPlatform: 'OWNER',
  checkAgentPublication: 'OWNER',
} as const;

export const AgentSettingsAccess = {
  getAgentSettings: 'OWNER',
  saveAgentDraft: 'OWNER',
  publishAgentSettings: 'OWNER',
  listAgentVersions: 'OWNER',
  rollBackAgentSettings: 'OWNER',
  compareAgentVersions: 'OWNER',
  previewAgentSettings: 'OWNER',
} as const;

export const AppointmentExportAccess = {
  beginAppointmentExport: 'MANAGER',
  readAppointmentExport: 'MANAGER',
} as const;

export const AppointmentAccess = {
  bookAppointment: 'EMPLOYEE',
  bookWalkIn: 'EMPLOYEE',
  cancelAppointment: 'EMPLOYEE',
  setAppointmentState: 'EMPLOYEE',
  restoreAppointment: 'EMPLOYEE',
  moveAppointment: 'EMPLOYEE',
  changeAppointment: 'EMPLOYEE',
  getAppointment: 'EMPLOYEE',
  listAppointments: 'EMPLOYEE',
  listCustomerAppointments: 'EMPLOYEE',
  listConflicts: 'EMPLOYEE',
} as const;

export const AppointmentSyncAccess = {
  listAppointmentSync: 'OWNER',
  retryAppointmentSync: 'EMPLOYEE',
  listSyncHistory: 'OWNER',
} as const;

export const AuditAccess = {
  listAuditEntries: 'OWNER',
} as const;

export const AvailabilityAccess = {
  searchAvailability: 'EMPLOYEE',
  explainAvailability: 'EMPLOYEE',
  createHold: 'EMPLOYEE',
  releaseHold: 'EMPLOYEE',
} as const;

export const BlockAccess = {
  blockTime: 'EMPLOYEE',
  unblockTime: 'EMPLOYEE',
  listBlocks: 'EMPLOYEE',
} as const;

export const BookingHealthAccess = {
  listBookingHealth: 'ADMIN',
} as const;

export const BookingPolicyAccess = {
  getBookingPolicy: 'EMPLOYEE',
  updateBookingPolicy: 'MANAGER',
} as const;

export const BusinessAccess = {
  getBusiness: 'GUEST',
  listBusinesses: 'ADMIN',
  createBusiness: 'ADMIN',
  updateBusiness: 'OWNER',
  listBusinessSetups: 'ADMIN',
} as const;

export const CacheAccess = {
  getCacheStats: 'GUEST',
  resetCacheMetrics: 'GUEST',
  clearCache: 'GUEST',
  testCache: 'GUEST',
} as const;

export const CalendarFeedAccess = {
  listCalendarFeeds: 'EMPLOYEE',
  makeCalendarFeed: 'EMPLOYEE',
  revokeCalendarFeed: 'EMPLOYEE',
} as const;

export const CalendarAccess = {
  listCalendars: 'EMPLOYEE',
  connectCalendar: 'EMPLOYEE',
  findCaldavCalendars: 'EMPLOYEE',
  connectCaldavCalendar: 'EMPLOYEE',
  changeCaldavPassword: 'EMPLOYEE',
  connectGoogleCalendar: 'EMPLOYEE',
  connectIcsCalendar: 'EMPLOYEE',
  changeIcsAddress: 'EMPLOYEE',
  retryCalendar: 'EMPLOYEE',
  disconnectCalendar: 'EMPLOYEE',
  keepCalendar: 'EMPLOYEE',
  listCalendarHealth: 'ADMIN',
} as const;

export const CallAccess = {
  listCalls: 'EMPLOYEE',
  getCall: 'EMPLOYEE',
  exportCalls: 'MANAGER',
  createCallNote: 'EMPLOYEE',
  deleteCallNote: 'EMPLOYEE',
  restoreCallNote: 'EMPLOYEE',
  getTakeOver: 'EMPLOYEE',
  takeOverCall: 'EMPLOYEE',
  getNotices: 'OWNER',
  listCallHealth: 'ADMIN',
} as const;

export const CallViewAccess = {
  listCallViews: 'EMPLOYEE',
  saveCallView: 'EMPLOYEE',
  deleteCallView: 'EMPLOYEE',
} as const;

export const CatalogueAccess = {
  listServices: 'GUEST',
  createService: 'MANAGER',
  updateService: 'MANAGER',
  archiveService: 'MANAGER',
} as const;

export const ChangeAccess = {
  undoChange: 'EMPLOYEE',
} as const;

export const ConsentAccess = {
  listConsents: 'GUEST',
  beginConsent: 'GUEST',
  finishConsent: 'GUEST',
  withdrawConsent: 'GUEST',
} as const;

export const ConsistencyAccess = {
  checkConsistency: 'OWNER',
  getConsistency: 'OWNER',
  repairDifference: 'OWNER',
} as const;

export const ContactPolicyAccess = {
  getContactPolicy: 'EMPLOYEE',
  updateContactPolicy: 'MANAGER',
} as const;

export const CustomerExportAccess = {
  beginCustomerExport: 'MANAGER',
  readCustomerExport: 'MANAGER',
} as const;

export const CustomerFiguresAccess = {
  getCustomerFigures: 'EMPLOYEE',
} as const;

export const CustomerMergeAccess = {
  previewCustomerMerge: 'MANAGER',
  mergeCustomers: 'MANAGER',
  listCustomerMerges: 'MANAGER',
  undoCustomerMerge: 'MANAGER',
} as const;

export const CustomerNoteAccess = {
  listCustomerNotes: 'EMPLOYEE',
  getPinnedNotes: 'EMPLOYEE',
  createCustomerNote: 'EMPLOYEE',
  updateCustomerNote: 'EMPLOYEE',
  deleteCustomerNote: 'EMPLOYEE',
} as const;

export const CustomerRecordAccess = {
  listPatchTests: 'EMPLOYEE',
  recordPatchTest: 'EMPLOYEE',
  deletePatchTest: 'EMPLOYEE',
  listFormulas: 'EMPLOYEE',
  recordFormula: 'EMPLOYEE',
  deleteFormula: 'EMPLOYEE',
  listConsentChanges: 'EMPLOYEE',
} as const;

export const CustomerAccess = {
  listCustomers: 'EMPLOYEE',
  getCustomer: 'EMPLOYEE',
  createCustomer: 'EMPLOYEE',
  updateCustomer: 'EMPLOYEE',
  recordMarketingConsent: 'EMPLOYEE',
} as const;

export const DayAccess = {
  getDay: 'EMPLOYEE',
  getMonth: 'EMPLOYEE',
  listStrandedAppointments: 'EMPLOYEE',
  recordContact: 'EMPLOYEE',
} as const;

export const DemoCalendarAccess = {
  listDemoEvents: 'EMPLOYEE',
  putDemoEvent: 'EMPLOYEE',
  deleteDemoEvent: 'EMPLOYEE',
} as const;

export const DependencyAccess = {
  listDependencies: 'EMPLOYEE',
  createDependency: 'MANAGER',
  deleteDependency: 'MANAGER',
} as const;

export const EmployeeAccess = {
  listEmployees: 'EMPLOYEE',
  createEmployee: 'OWNER',
  updateEmployee: 'OWNER',
  unlinkEmployeeAccount: 'OWNER',
  findEmployee: 'ADMIN',
} as const;

export const ErasureAccess = {
  eraseCustomer: 'MANAGER',
  getErasure: 'EMPLOYEE',
  listOpenErasures: 'MANAGER',
} as const;

export const FollowUpAccess = {
  listFollowUps: 'EMPLOYEE',
  createFollowUp: 'EMPLOYEE',
  assignFollowUp: 'EMPLOYEE',
  completeFollowUp: 'EMPLOYEE',
  reopenFollowUp: 'EMPLOYEE',
} as const;

export const FrontendAccess = {
  getFrontendConfiguration: 'PUBLIC',
} as const;

export const HomeAccess = {
  getHome: 'GUEST',
} as const;

export const ImportAccess = {
  createImport: 'MANAGER',
  putImportPart: 'MANAGER',
  previewImport: 'MANAGER',
  checkImport: 'MANAGER',
  startImport: 'MANAGER',
  cancelImport: 'MANAGER',
  getImport: 'MANAGER',
  listImports: 'MANAGER',
  listImportLines: 'MANAGER',
} as const;

export const InsightAccess = {
  getInsights: 'MANAGER',
} as const;

export const ItemAccess = {
  listItems: 'EMPLOYEE',
  getItem: 'EMPLOYEE',
  createItem: 'MANAGER',
  updateItem: 'MANAGER',
  archiveItem: 'MANAGER',
  restoreItem: 'MANAGER',
  listItemCategories: 'EMPLOYEE',
  exportItems: 'MANAGER',
} as const;

export const LogoAccess = {
  getLogo: 'GUEST',
  setLogo: 'OWNER',
  removeLogo: 'OWNER',
} as const;

export const MatchingAccess = {
  matchServices: 'EMPLOYEE',
  listUnmatchedPhrases: 'MANAGER',
  resolvePhrase: 'MANAGER',
  removeServiceAlias: 'MANAGER',
} as const;

export const MemberAccess = {
  listMembers: 'OWNER',
  setMemberRole: 'OWNER',
  removeMember: 'OWNER',
  liftBlock: 'OWNER',
  listInvitations: 'OWNER',
  invite: 'OWNER',
  withdrawInvitation: 'OWNER',
} as const;

export const OpeningExceptionAccess = {
  listOpeningExceptions: 'GUEST',
  addOpeningException: 'MANAGER',
  removeOpeningException: 'MANAGER',
} as const;

export const PairingAccess = {
  createPairing: 'MANAGER',
  deletePairing: 'MANAGER',
  listPairings: 'EMPLOYEE',
  listMeasuredPairings: 'EMPLOYEE',
} as const;

export const PatchTestAccess = {
  checkPatchTests: 'EMPLOYEE',
} as const;

export const ProductEventAccess = {
  recordProductEvents: 'GUEST',
  listProductEvents: 'ADMIN',
  countProductEvents: 'ADMIN',
  exportProductEvents: 'ADMIN',
} as const;

export const ProposalAccess = {
  reportAbsence: 'EMPLOYEE',
  delayAppointment: 'EMPLOYEE',
  optimiseDay: 'MANAGER',
  getProposalInput: 'MANAGER',
  getProposal: 'EMPLOYEE',
  listProposals: 'EMPLOYEE',
  applyProposal: 'EMPLOYEE',
  dismissProposal: 'EMPLOYEE',
} as const;

export const ProviderConnectionAccess = {
  listProviderConnections: 'OWNER',
  connectProvider: 'OWNER',
  rotateProviderToken: 'OWNER',
  disconnectProvider: 'OWNER',
  keepProvider: 'OWNER',
  testProviderConnection: 'OWNER',
  syncProvider: 'OWNER',
  listProviderRuns: 'OWNER',
  listProviderRecords: 'OWNER',
  mapProviderRecord: 'OWNER',
  compareProviderAvailability: 'OWNER',
} as const;

export const RecordChangeAccess = {
  undoRecordChange: 'EMPLOYEE',
} as const;

export const RecordingAccess = {
  getRecording: 'EMPLOYEE',
  readRecording: 'EMPLOYEE',
} as const;

export const ResourceAccess = {
  listResources: 'EMPLOYEE',
  createResource: 'MANAGER',
  renameResource: 'MANAGER',
  archiveResource: 'MANAGER',
  restoreResource: 'MANAGER',
} as const;

export const ScheduleAccess = {
  getOpeningHours: 'GUEST',
  setOpeningHours: 'MANAGER',
  setWeeklySchedule: 'MANAGER',
  listWeeklySchedules: 'EMPLOYEE',
  removeWeeklySchedule: 'MANAGER',
  setDayHours: 'MANAGER',
  removeDayHours: 'MANAGER',
  listStaffSchedules: 'EMPLOYEE',
  listDayHours: 'EMPLOYEE',
} as const;

export const SecurityAccess = {
  listSessions: 'GUEST',
  endSession: 'GUEST',
  signOutEverywhere: 'GUEST',
  listTrustedDevices: 'GUEST',
  revokeTrustedDevice: 'GUEST',
  requestDeviceCode: 'GUEST',
  listSecurityEvents: 'GUEST',
} as const;

export const SeriesAccess = {
  planSeries: 'EMPLOYEE',
  bookSeries: 'EMPLOYEE',
  getSeries: 'EMPLOYEE',
  moveRestOfSeries: 'EMPLOYEE',
  cancelRestOfSeries: 'EMPLOYEE',
} as const;

export const ServiceIntelligenceAccess = {
  getServiceIntelligence: 'MANAGER',
} as const;

export const StockAccess = {
  listStockMovements: 'EMPLOYEE',
  takeFromStock: 'EMPLOYEE',
  receiveStock: 'MANAGER',
  wasteStock: 'MANAGER',
  undoStockMovement: 'EMPLOYEE',
  previewStockTake: 'MANAGER',
  recordStockTake: 'MANAGER',
  undoStockTake: 'MANAGER',
} as const;

export const SupplierAccess = {
  listSuppliers: 'EMPLOYEE',
  createSupplier: 'MANAGER',
  updateSupplier: 'MANAGER',
  deleteSupplier: 'MANAGER',
} as const;

export const TimeOffAccess = {
  requestTimeOff: 'EMPLOYEE',
  approveTimeOff: 'MANAGER',
  declineTimeOff: 'MANAGER',
  withdrawTimeOff: 'EMPLOYEE',
  listTimeOff: 'EMPLOYEE',
} as const;

export const VoiceConnectionAccess = {
  listVoiceConnections: 'OWNER',
  createVoiceConnection: 'OWNER',
  updateVoiceConnection: 'OWNER',
  rotateVoiceSecret: 'OWNER',
  testVoiceConnection: 'OWNER',
  deleteVoiceConnection: 'OWNER',
} as const;

export const WaitlistAccess = {
  joinWaitlist: 'EMPLOYEE',
  moveToWaitlist: 'EMPLOYEE',
  listWaitlist: 'EMPLOYEE',
  leaveWaitlist: 'EMPLOYEE',
  bookFromWaitlist: 'EMPLOYEE',
} as const;
