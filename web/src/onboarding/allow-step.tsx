import { Stack } from '@chakra-ui/react';
import { FlaskConical } from 'lucide-react';
import { useNavigate } from 'react-router';
import { useAction } from '../api/action';
import { CalendarKind } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { ConsentService } from '../gen/frontdesk/calendarsync/v1/consent_pb';
import { messageOf } from '../http/errors';
import { CardPage } from '../layout/card-page';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Note, Refusal } from '../ui/states';
import { Muted } from '../ui/text';
import { Steps } from './steps';

/** Leads to the consent; nothing is read before it is given. */
export function AllowStep() {
  const navigate = useNavigate();
  const { act, running, error } = useAction(ConsentService.method.beginConsent, {
    onDone: ({ state }) => void navigate(paths.onboardingConsent(state)),
  });
  return (
    <CardPage title="Allow access" lead="Frontdesk needs your leave before it can see your calendars.">
      <Steps at={1} />
      <Note tone="info" icon={FlaskConical}>
        The demo calendar shows how it works, without an account elsewhere. Its consent is simulated.
      </Note>
      <Refusal>{error && messageOf(error)}</Refusal>
      <Stack gap="2">
        <Button
          variant="contained"
          loading={running}
          onClick={() => act({ kind: CalendarKind.DEMO })}
          width="100%"
        >
          Use the demo calendar
        </Button>
        <Muted fontSize="0.875rem" textAlign="center">
          You can withdraw your leave here at any time.
        </Muted>
      </Stack>
    </CardPage>
  );
}
