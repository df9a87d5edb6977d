import { Flex } from '@chakra-ui/react';
import { UsersRound } from 'lucide-react';
import { namesakes, onlyLookAlike } from '../business/namesakes';
import { alphabetOf } from '../finding/look-alikes';
import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { Button } from '../ui/button';
import { Note } from '../ui/states';
import { Text } from '../ui/text';

type NamesakesNoteProps = { employees: readonly Employee[]; onEdit: (employee: Employee) => void };

/** Says who joined under the name of a colleague, and what to do: no one is refused for their name. */
export function NamesakesNote({ employees, onEdit }: NamesakesNoteProps) {
  return namesakes(employees).map((group) => {
    const [first, ...others] = group;
    if (!first) return null;
    const last = others.at(-1) ?? first;
    const alike = onlyLookAlike(group);
    const called = ({ name }: Employee) => (alike ? `${name} (${alphabetOf(name)})` : name);
    return (
      <Note
        key={first.id}
        tone="warn"
        icon={UsersRound}
        action={
          <Flex gap="2" wrap="wrap">
            {group.map((employee) => (
              <Button key={employee.id} onClick={() => onEdit(employee)}>
                Rename {called(employee)}
              </Button>
            ))}
          </Flex>
        }
      >
        <Text fontWeight="600">
          {alike
            ? `${group.length} people have names that look like ${first.name}`
            : `${group.length} people go by the name ${first.name}`}
        </Text>
        <Text fontSize="0.9375rem">
          {alike
            ? 'They are written in different alphabets and can’t be told apart by eye: rename one of them.'
            : `Callers ask for people by name: add a surname or an initial. If it is one person twice, unlink the account of ${last.name}, link it with ${first.name}, and enter today as the last day of ${last.name}.`}
        </Text>
      </Note>
    );
  });
}
