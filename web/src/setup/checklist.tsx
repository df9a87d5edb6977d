import { Box, Flex, Stack } from '@chakra-ui/react';
import { ListTodo } from 'lucide-react';
import { ButtonLink } from '../layout/links';
import { paths } from '../paths';
import { Card, CardRow } from '../ui/card';
import { Muted, Text } from '../ui/text';
import { isKnown, leftWith, TO_DO, TODOS, type Todo } from './steps';
import { useSetup } from './use-setup';

const WHERE: Readonly<Record<Todo, (businessId: string) => string>> = {
  details: (id) => paths.details(id),
  hours: (id) => paths.details(id, 'hours'),
  team: (id) => paths.details(id, 'team'),
  services: paths.services,
  owner: paths.members,
  phone: (id) => paths.details(id, 'integrations'),
  agent: paths.agent,
};

type ChecklistProps = {
  businessId: string;
  role: string;
  /** It is shown as long as one of these is left. */
  until?: readonly Todo[];
};

/** What is left before the salon can take a call, each with the way there; nothing once all is done. */
export function Checklist({ businessId, role, until = TODOS }: ChecklistProps) {
  const { facts } = useSetup(businessId, role);
  const left = leftWith(until, facts);
  // All of it at once: a list that grows would push the page down again and again.
  if (!isKnown(facts) || left.length === 0) return null;
  return (
    <Card
      flush
      title={
        <Flex as="span" align="center" gap="2.5">
          <ListTodo size={22} aria-hidden />
          {left.length === 1 ? '1 thing is left to set up' : `${left.length} things are left to set up`}
        </Flex>
      }
    >
      <Box as="ul" aria-label="Left to set up" listStyleType="none">
        {left.map((todo) => (
          <CardRow key={todo} align="center" justify="space-between" wrap="wrap">
            <Stack gap="0" minWidth="0" flex="1 1 14rem">
              <Text fontWeight="600">{TO_DO[todo].title}</Text>
              <Muted>{TO_DO[todo].why}</Muted>
            </Stack>
            <ButtonLink to={WHERE[todo](businessId)} aria-label={`Set up: ${TO_DO[todo].title}`}>
              Set up
            </ButtonLink>
          </CardRow>
        ))}
      </Box>
    </Card>
  );
}
