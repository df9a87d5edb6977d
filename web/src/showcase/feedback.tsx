import { Stack } from '@chakra-ui/react';
import { CircleAlert, CircleCheck, Info, Scissors, TriangleAlert } from 'lucide-react';
import { Badge, LiveDot, type Tone } from '../ui/badge';
import { Button } from '../ui/button';
import { Surface } from '../ui/card';
import { Bar, RowsSkeleton } from '../ui/skeleton';
import { Spinner } from '../ui/spinner';
import { Empty, Failed, Note, Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';
import { Example, States } from './example';

const TONES: Tone[] = ['brand', 'good', 'info', 'warn', 'bad', 'violet', 'quiet'];

/** Notes, toasts and other feedback. */
export function Feedback() {
  return (
    <>
      <Example
        title="Badge"
        use="A short state, told by its words; the colour only helps."
        code={'<Badge tone="good">Confirmed</Badge>'}
      >
        <States>
          {TONES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
          <Badge tone="good">
            <LiveDot />
            Live
          </Badge>
        </States>
      </Example>
      <Example
        title="Note and refusal"
        use="A line that needs noticing, in place. A refusal is read out as it comes."
        code={'<Refusal>{errors.root?.message}</Refusal>'}
      >
        <Stack gap="3">
          <Note tone="good" icon={CircleCheck}>
            This time is free.
          </Note>
          <Note tone="info" icon={Info}>
            Times are London’s.
          </Note>
          <Note tone="warn" icon={TriangleAlert}>
            What you see may be out of date.
          </Note>
          <Note tone="bad" icon={CircleAlert}>
            The rule contradicts others.
          </Note>
          <Refusal>That time was just taken.</Refusal>
        </Stack>
      </Example>
      <Example
        title="Toast"
        use="What was done, for five seconds, with its way back."
        code={"toasts.show('good', 'The rule is taken away.', { label: 'Undo', run: undo });"}
      >
        <States>
          <Button onClick={() => toasts.show('good', 'It is saved.')}>Good</Button>
          <Button onClick={() => toasts.show('bad', 'It could not be saved.')}>Bad</Button>
          <Button
            onClick={() =>
              toasts.show('info', 'It is taken away.', {
                label: 'Undo',
                run: () => toasts.show('good', 'It is back.'),
              })
            }
          >
            With a way back
          </Button>
        </States>
      </Example>
      <Example
        title="Skeleton"
        use="What stands where something is about to."
        code={'<RowsSkeleton rows={4} label="Loading services" />'}
      >
        <Surface>
          <RowsSkeleton rows={2} label="Loading an example" />
        </Surface>
        <Stack gap="2" pt="3" maxWidth="16rem">
          <Bar />
          <Bar width="60%" />
        </Stack>
        <Spinner />
      </Example>
      <Example
        title="Empty"
        use="Nothing is here, why, and what would change that."
        code={'<Empty icon={Scissors} title="No services yet" action={<Button>New service</Button>} />'}
      >
        <Surface>
          <Empty icon={Scissors} title="No services yet" action={<Button>New service</Button>}>
            Until there are some, the agent has nothing to offer on the phone.
          </Empty>
        </Surface>
      </Example>
      <Example
        title="Failed"
        use="Something could not be shown; trying again is one press away."
        code={'<Failed title="The calls can’t be shown" message={messageOf(error)} onRetry={refetch} />'}
      >
        <Surface>
          <Failed
            title="The calls can’t be shown"
            message="Frontdesk can’t be reached. Check your connection."
            onRetry={() => toasts.show('info', 'Tried again.')}
          />
        </Surface>
      </Example>
    </>
  );
}
