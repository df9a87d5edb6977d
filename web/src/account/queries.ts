import { rpcPages, rpcQuery } from '../api/query';
import { AccountService } from '../gen/frontdesk/auth/v1/account_pb';
import { SecurityService } from '../gen/frontdesk/auth/v1/security_pb';

const EVENTS = 20;

export const meQuery = () => rpcQuery(AccountService.method.getMe, {});

export const identitiesQuery = () => rpcQuery(AccountService.method.listIdentities, {});

export const sessionsQuery = () => rpcQuery(SecurityService.method.listSessions, {});

export const devicesQuery = () => rpcQuery(SecurityService.method.listTrustedDevices, {});

export const eventPages = () => rpcPages(SecurityService.method.listSecurityEvents, { pageSize: EVENTS });
