// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { ProviderConnectionSchema } from '../gen/frontdesk/calendarsync/v1/provider_pb';
import {
  AgentPublicationSchema,
  AgentPublicationState,
} from '../gen/frontdesk/tenancy/v1/agent_publication_pb';
import { ErasureSchema } from '../gen/frontdesk/tenancy/v1/erasure_pb';
import { mount } from '../testing/mount';

vi.mock('../session/current', () => ({
  api: vi.fn(),
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { LineRow } = await import('./line-rows');
const { ErasureRow } = await import('./erasure-rows');
const { UnmappedRow } = await import('./unmapped-rows');

afterEach(cleanup);

it('a broken line says what is wrong, whose it is, and leads to its cure', async () => {
  const publication = create(AgentPublicationSchema, {
    label: 'Main line',
    state: AgentPublicationState.FAILED,
    wantedVersion: 3,
    liveVersion: 2,
  });
  mount([{ path: '/', element: <LineRow businessId="b" publication={publication} /> }], '/');
  await screen.findByText('The line “Main line” needs you');
  screen.getByText('Version 3 did not reach the platform: calls run on version 2.');
  screen.getByText('For the owner');
  const link = screen.getByRole('link', { name: /^Agent settings\s*for Main line$/ });
  expect(link.getAttribute('href')).toBe('/b/agent');
});

it('an erasure that hangs says since when and what it waits for, and leads to its state', async () => {
  const erasure = create(ErasureSchema, {
    customerId: 'ana',
    begunAt: timestampFromDate(new Date('2026-06-01T09:30:00Z')),
    holders: [{ service: 'calendar-sync', waitingFor: '3 entries' }],
  });
  mount([{ path: '/', element: <ErasureRow businessId="b" erasure={erasure} zone="UTC" /> }], '/');
  await screen.findByText(/^An erasure begun on 1 Jun 2026.* has not ended$/);
  screen.getByText(/^“Employees’ calendars” waits for 3 entries\./);
  const link = screen.getByRole('link', { name: 'Show the erasure' });
  expect(link.getAttribute('href')).toBe('/b/customers/ana');
});

it('a mapping that lacks people and services says what becomes of both, and leads to it', async () => {
  const connection = create(ProviderConnectionSchema, { id: 'c1', label: 'Square', needsServices: true });
  const unmapped = { id: 'c1', connection, people: ['Ada'], services: ['Cut', 'Wash', 'Colour', 'Beard'] };
  mount([{ path: '/', element: <UnmappedRow businessId="b" unmapped={unmapped} /> }], '/');
  await screen.findByText('Ada is in Square and mapped to no one here');
  screen.getByText('Cut, Wash, Colour and 1 more are mapped to no service in Square');
  screen.getByText('Visits with them are refused there.');
  expect(screen.getByRole('link', { name: 'Map them' }).getAttribute('href')).toBe('/b/provider-sync');
});
