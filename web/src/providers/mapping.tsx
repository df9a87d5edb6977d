import { Box, chakra, Flex } from '@chakra-ui/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { useState } from 'react';
import { intend, useAction } from '../api/action';
import {
  type ListProviderRecordsResponse,
  type ProviderConnection,
  ProviderConnectionService,
  type ProviderRecord,
  ProviderRecordKind,
} from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { messageOf } from '../http/errors';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { SelectField } from '../ui/select-field';
import { Empty } from '../ui/states';
import { Table } from '../ui/table';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { LettingGo } from './letting-go';
import { recordsQuery } from './queries';
import { UnmapDialog } from './unmap-dialog';
import { unmappedServices, unmappedServicesEffect } from './unmapped';
import { suggestedOf } from './wording';

type MappingProps = {
  businessId: string;
  connection: ProviderConnection;
  found: ListProviderRecordsResponse;
};

/** Which employee or service here each record of the booking system is. */
export function Mapping({ businessId, connection, found }: MappingProps) {
  if (found.records.length === 0) {
    return (
      <Empty icon={Users} title="No employees and services were read yet">
        They are here after the first run.
      </Empty>
    );
  }
  const services = unmappedServices(found);
  return (
    <>
      <Records businessId={businessId} connection={connection} found={found} />
      {services.length > 0 && (
        <Box px={{ base: '4', sm: '6' }} py="4" borderTop="1px solid" borderColor="line">
          <Text>Mapped to no service there: {new Intl.ListFormat('en-GB').format(services)}.</Text>
          <Muted>{unmappedServicesEffect(connection, services.length)}</Muted>
        </Box>
      )}
    </>
  );
}

function Records({ businessId, connection, found }: MappingProps) {
  return (
    <>
      <AllSuggested businessId={businessId} connection={connection} found={found} />
      <Table label="Employees and services of the booking system" stacked>
        <thead>
          <tr>
            <th scope="col">There</th>
            <th scope="col">Kind</th>
            <th scope="col">Here</th>
            <th scope="col" aria-label="Suggestion" />
          </tr>
        </thead>
        <tbody>
          {found.records.map((record) => (
            <Row
              key={`${record.kind} ${record.externalId}`}
              businessId={businessId}
              connection={connection}
              record={record}
              found={found}
            />
          ))}
        </tbody>
      </Table>
    </>
  );
}

/** Maps all that have the same name here at once, where there are several. */
function AllSuggested({ businessId, connection, found }: MappingProps) {
  const queries = useQueryClient();
  const suggested = suggestedOf(found.records);
  const [mapped, setMapped] = useState(0);
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      setMapped(0);
      for (const { kind, externalId, suggestedId: mappedId } of suggested) {
        const record = { businessId, connectionId: connection.id, kind, externalId, mappedId };
        await intend(ProviderConnectionService.method.mapProviderRecord, { ...record, takeOut: false });
        setMapped((before) => before + 1);
      }
      return suggested.length;
    },
    onSuccess: (mapped) => toasts.show('good', `Mapped ${mapped} employees and services as suggested.`),
    onError: (error) => toasts.show('bad', messageOf(error, 'Not all could be mapped.')),
    onSettled: () =>
      void queries.invalidateQueries({ queryKey: recordsQuery(businessId, connection.id).queryKey }),
  });
  if (suggested.length < 2) return null;
  return (
    <Flex gap="3" align="center" wrap="wrap" px={{ base: '4', sm: '6' }} pb="3">
      <Button variant="tinted" loading={isPending} onClick={() => mutate()}>
        Map all {suggested.length} as suggested
      </Button>
      <Muted fontSize="0.875rem" role="status">
        {isPending
          ? `${mapped} of ${suggested.length} are mapped.`
          : 'Appointments of a mapped employee are kept in step from then on.'}
      </Muted>
    </Flex>
  );
}

function Row({ businessId, connection, record, found }: MappingProps & { record: ProviderRecord }) {
  const queries = useQueryClient();
  const connectionId = connection.id;
  const { kind, externalId, name, mappedId, suggestedId, isGone } = record;
  const { act, running } = useAction(ProviderConnectionService.method.mapProviderRecord, {
    onDone: () =>
      void queries.invalidateQueries({ queryKey: recordsQuery(businessId, connectionId).queryKey }),
    onRefused: (error) => toasts.show('bad', messageOf(error, `${name} could not be mapped.`)),
  });
  const [letting, setLetting] = useState(false);
  const map = (to: string) => {
    if (!to && record.writtenCount > 0) setLetting(true);
    else act({ businessId, connectionId, kind, externalId, mappedId: to, takeOut: false });
  };
  const isEmployee = kind === ProviderRecordKind.EMPLOYEE;
  const taken = new Set(found.records.filter((other) => other !== record).map((other) => other.mappedId));
  // A mapped employee is first mapped to none: until then their appointments are kept in step.
  const own = found.own.filter(
    ({ kind: of, id }) => of === kind && !taken.has(id) && (!isEmployee || !mappedId || id === mappedId),
  );
  const suggested = found.own.find(({ kind: of, id }) => of === kind && id === suggestedId);
  return (
    <tr>
      <th scope="row">
        {name} {isGone && <Badge tone="warn">Gone there</Badge>}
      </th>
      <td>{isEmployee ? 'Employee' : 'Service'}</td>
      <chakra.td minWidth="12rem">
        <SelectField
          label={`Who or what ${name} is here`}
          silent
          value={mappedId}
          disabled={running || record.cleanup !== undefined}
          onChange={(event) => map(event.currentTarget.value)}
        >
          <option value="">Not mapped</option>
          {own.map(({ id, name: ours }) => (
            <option key={id} value={id}>
              {ours}
            </option>
          ))}
        </SelectField>
      </chakra.td>
      <td>
        {record.cleanup ? (
          <LettingGo
            businessId={businessId}
            connection={connection}
            record={record}
            cleanup={record.cleanup}
          />
        ) : suggested ? (
          <Button whiteSpace="normal" loading={running} onClick={() => map(suggested.id)}>
            Map to {suggested.name}
            <ScreenReaderOnly> for {name} there</ScreenReaderOnly>
          </Button>
        ) : (
          !mappedId && <Muted fontSize="0.875rem">No similar name</Muted>
        )}
        {letting && (
          <UnmapDialog
            businessId={businessId}
            connection={connection}
            record={record}
            onClose={() => setLetting(false)}
          />
        )}
      </td>
    </tr>
  );
}
