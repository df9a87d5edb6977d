import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, Plus, Workflow } from 'lucide-react';
import { lazy, Suspense, useState, useSyncExternalStore } from 'react';
import { may } from '../api/access';
import { DependencyAccess } from '../gen/access';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import type { Dependency } from '../gen/frontdesk/scheduling/v1/dependency_pb';
import { ButtonLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { namesOf, useServices } from '../services/use-services';
import { Button } from '../ui/button';
import { Card, Surface } from '../ui/card';
import { Bar, Loading, RowsSkeleton } from '../ui/skeleton';
import { Empty, Note } from '../ui/states';
import { Text } from '../ui/text';
import { dependenciesQuery } from './queries';
import { type Contradiction, RuleDialog } from './rule-dialog';
import { RuleTable } from './rule-table';
import { ruleSentence } from './rule-text';
import { dependencyOf, newRule, type RuleValues } from './rule-values';
import { useDeleting } from './use-deleting';

const Graph = lazy(() =>
  import('./dependency-graph').then(({ DependencyGraph }) => ({ default: DependencyGraph })),
);

type BoardProps = { businessId: string; role: string | undefined };

/** The rules of a business, as a graph and as a table; both can do the same. */
export function DependencyBoard({ businessId, role }: BoardProps) {
  const services = useServices(businessId);
  const rules = useQuery(dependenciesQuery(businessId));
  const skeleton = (
    <Surface>
      <RowsSkeleton rows={5} label="Loading rules" />
    </Surface>
  );
  return (
    <Reading query={services} what="The services" framed missingIsPage skeleton={skeleton}>
      {({ pages }) => (
        <Reading query={rules} what="The rules" framed missingIsPage skeleton={skeleton}>
          {({ dependencies }) => (
            <Board
              businessId={businessId}
              role={role}
              services={pages.flatMap((page) => page.services)}
              rules={dependencies}
            />
          )}
        </Reading>
      )}
    </Reading>
  );
}

function Board({
  businessId,
  role,
  services,
  rules,
}: BoardProps & { services: Service[]; rules: Dependency[] }) {
  const [writing, setWriting] = useState<RuleValues>();
  const [contradiction, setContradiction] = useState<Contradiction>();
  const remove = useDeleting(businessId);
  const wide = useWide();
  const mayAdd = may(DependencyAccess.createDependency, role);
  const mayDelete = may(DependencyAccess.deleteDependency, role);
  const names = namesOf(services);
  const nameOf = (id: string) => names.get(id) ?? 'A service that is archived';
  const sentence = (
    rule: Parameters<typeof ruleSentence>[0] & { firstServiceId: string; thenServiceId: string },
  ) => ruleSentence(rule, nameOf(rule.firstServiceId), nameOf(rule.thenServiceId));
  const conflicting = rules.filter(({ id }) => contradiction?.ids.includes(id));
  const contradicted = conflicting.map(sentence);
  const add = mayAdd ? (first?: string, then?: string) => setWriting(newRule(first, then)) : undefined;

  if (services.length < 2) {
    return (
      <Surface>
        <Empty
          icon={Workflow}
          title="Rules need two services"
          action={<ButtonLink to={paths.services(businessId)}>Services</ButtonLink>}
        >
          Once the business sells two, you can say what holds between them.
        </Empty>
      </Surface>
    );
  }
  return (
    <Stack gap="6">
      {contradiction && !writing && (
        <Note tone="bad" icon={CircleAlert} role="alert">
          <Text fontWeight="600">
            “{sentence(dependencyOf(contradiction.refused))}” was not added: it contradicts
          </Text>
          <Box as="ul" ps="5" listStyleType="disc" py="1">
            {contradicted.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </Box>
          <Flex gap="2" wrap="wrap" pt="1">
            <Button onClick={() => setWriting(contradiction.refused)}>Change the new rule</Button>
            <Button variant="quiet" onClick={() => setContradiction(undefined)}>
              Don’t add it
            </Button>
          </Flex>
        </Note>
      )}
      {wide && (
        <Card title="Graph" flush>
          <Suspense fallback={<GraphSkeleton />}>
            <Graph
              services={services}
              rules={rules}
              contradiction={contradiction}
              sentence={sentence}
              onConnect={add}
              onDelete={mayDelete ? remove : undefined}
            />
          </Suspense>
        </Card>
      )}
      <Card
        title="Rules"
        flush
        action={
          add && (
            <Button onClick={() => add()}>
              <Plus size={18} aria-hidden />
              New rule
            </Button>
          )
        }
      >
        {rules.length === 0 ? (
          <Empty icon={Workflow} title="No rules yet">
            Services of one visit are booked in any order, with any free employee.
          </Empty>
        ) : (
          <RuleTable
            rules={rules}
            nameOf={nameOf}
            conflicting={contradiction?.ids ?? []}
            onDelete={mayDelete ? remove : undefined}
          />
        )}
      </Card>
      {writing && (
        <RuleDialog
          businessId={businessId}
          services={services}
          before={writing}
          contradicted={contradicted}
          onContradiction={setContradiction}
          onDone={() => {
            setWriting(undefined);
            setContradiction(undefined);
          }}
          onClose={() => setWriting(undefined)}
        />
      )}
    </Stack>
  );
}

function GraphSkeleton() {
  return (
    <Loading label="Loading graph">
      <Box px="6" pb="4">
        <Bar height="28rem" />
      </Box>
    </Loading>
  );
}

const WIDE = '(min-width: 900px)';

/** A phone has no room for a graph; its table can do the same. */
function useWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = window.matchMedia(WIDE);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => window.matchMedia(WIDE).matches,
  );
}
