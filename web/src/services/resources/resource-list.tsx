import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Armchair, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { may } from '../../api/access';
import { intend, useAction } from '../../api/action';
import { takingBack } from '../../business/taking-back';
import { ResourceAccess } from '../../gen/access';
import { type Resource, ResourceService } from '../../gen/frontdesk/scheduling/v1/resource_pb';
import { ApiError, messageOf } from '../../http/errors';
import { Button } from '../../ui/button';
import { Card, Surface } from '../../ui/card';
import { Empty, Refusal } from '../../ui/states';
import { Muted, Text } from '../../ui/text';
import { toasts } from '../../ui/toasts';
import { undos } from '../../ui/undos';
import { CataloguePage } from '../catalogue-page';
import { useServices } from '../use-services';
import { resourcesQuery } from './queries';
import { ResourceDialog } from './resource-dialog';

type ResourceListProps = { businessId: string; role: string | undefined };

/** Chairs, rooms and machines by kind, and which services need them. */
export function ResourceList({ businessId, role }: ResourceListProps) {
  const query = useQuery(resourcesQuery(businessId));
  const mayAdd = may(ResourceAccess.createResource, role);
  const [open, setOpen] = useState<{ resource?: Resource; kind?: string }>();
  const add = () => setOpen({});
  return (
    <CataloguePage
      businessId={businessId}
      role={role}
      title="Resources"
      lead="Chairs, rooms and machines: what one customer at a time can use."
      add={mayAdd ? { text: 'New resource', run: add } : undefined}
      query={query}
    >
      {({ resources }) => (
        <>
          {resources.length === 0 ? (
            <Surface>
              <Empty
                icon={Armchair}
                title="No resources yet"
                action={mayAdd && <Button onClick={add}>New resource</Button>}
              >
                A service that needs a chair, a room or a machine is offered only while one is free.
              </Empty>
            </Surface>
          ) : (
            <Kinds
              businessId={businessId}
              role={role}
              resources={resources}
              onRename={(resource) => setOpen({ resource })}
            />
          )}
          {open && (
            <ResourceDialog
              businessId={businessId}
              resource={open.resource}
              kinds={[...new Set(resources.map(({ kind }) => kind))]}
              onClose={() => setOpen(undefined)}
            />
          )}
        </>
      )}
    </CataloguePage>
  );
}

type KindsProps = ResourceListProps & { resources: Resource[]; onRename: (resource: Resource) => void };

function Kinds({ businessId, role, resources, onRename }: KindsProps) {
  const services = useServices(businessId).data?.pages.flatMap((page) => page.services) ?? [];
  const kinds = [...new Set(resources.map(({ kind }) => kind))];
  return (
    <Stack gap="6">
      {kinds.map((kind) => {
        const needing = services.filter(({ resourceKinds }) => resourceKinds.includes(kind));
        return (
          <Card key={kind} title={kind.charAt(0).toLocaleUpperCase() + kind.slice(1)} flush>
            <Muted px={{ base: '4', sm: '6' }} pb="3">
              {needing.length === 0
                ? 'No service needs one.'
                : `Needed by ${new Intl.ListFormat('en-GB').format(needing.map(({ name }) => name))}.`}
            </Muted>
            <Box as="ul" listStyleType="none" aria-label={kind}>
              {resources
                .filter((resource) => resource.kind === kind)
                .map((resource) => (
                  <ResourceRow
                    key={resource.id}
                    businessId={businessId}
                    role={role}
                    resource={resource}
                    onRename={() => onRename(resource)}
                  />
                ))}
            </Box>
          </Card>
        );
      })}
    </Stack>
  );
}

type ResourceRowProps = ResourceListProps & { resource: Resource; onRename: () => void };

function ResourceRow({ businessId, role, resource, onRename }: ResourceRowProps) {
  const { act, running, error } = useArchiving(businessId, resource);
  return (
    <Stack gap="2" as="li" px={{ base: '4', sm: '6' }} py="2" borderTop="1px solid" borderColor="line">
      <Flex align="center" gap="2" minHeight="11">
        <Text flex="1" minWidth="0" fontWeight="550">
          {resource.name}
        </Text>
        {may(ResourceAccess.renameResource, role) && (
          <Button variant="quiet" aria-label={`Rename ${resource.name}`} onClick={onRename}>
            <Pencil size={18} aria-hidden />
          </Button>
        )}
        {may(ResourceAccess.archiveResource, role) && (
          <Button
            variant="quiet"
            aria-label={`Take ${resource.name} away`}
            loading={running}
            onClick={() => act({ businessId, resourceId: resource.id })}
          >
            <Trash2 size={18} aria-hidden />
          </Button>
        )}
      </Flex>
      <Refusal>{error && whyNot(error)}</Refusal>
    </Stack>
  );
}

/** Removes a resource; the undo brings the same one back. */
function useArchiving(businessId: string, { id, name }: Resource) {
  const queries = useQueryClient();
  const { queryKey } = resourcesQuery(businessId);
  const readAgain = () => void queries.invalidateQueries({ queryKey });
  const takeBack = takingBack(
    (key) => intend(ResourceService.method.restoreResource, { businessId, resourceId: id }, key),
    `${name} is there again.`,
    readAgain,
  );
  return useAction(ResourceService.method.archiveResource, {
    onDone: (_, { resourceId }) => {
      queries.setQueryData(
        queryKey,
        (before) =>
          before && { ...before, resources: before.resources.filter(({ id }) => id !== resourceId) },
      );
      readAgain();
      toasts.show('good', `${name} is taken away.`, undos.push(takeBack));
    },
  });
}

function whyNot(error: unknown): string {
  const inUse = error instanceof ApiError && error.reason === 'IN_USE';
  if (!inUse) return messageOf(error, 'It could not be taken away.');
  return 'Visits to come use it, or it is the last one of a kind that a service needs.';
}
