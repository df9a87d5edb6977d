import { chakra, Flex } from '@chakra-ui/react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { call } from '../api/call';
import { deviceTrust } from '../api/device-trust';
import { queries } from '../api/query-client';
import { SecurityService } from '../gen/frontdesk/auth/v1/security_pb';
import { api } from '../session/current';
import { useSession } from '../session/use-session';
import { browserClock } from '../time/clock';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { Figures, Muted, Text } from '../ui/text';
import { CODE_LENGTH, DeviceCode, type DeviceCodeState, digitsOf } from './device-code';
import { devicesQuery, eventPages, sessionsQuery } from './queries';

/** The cookie of the device comes with this answer, so the door speaks for itself here. */
const confirmDevice = (code: string) =>
  api({ verb: 'POST', path: '/v1/me/trusted-devices:confirm', body: { code } });

const createCode = () =>
  new DeviceCode({
    mail: () => call(SecurityService.method.requestDeviceCode, {}),
    confirm: confirmDevice,
    clock: browserClock,
  });

/** Asks for the mailed code. Calls that wait for a trusted device are then sent again, or fail as before. */
export default function TrustedDeviceDialog() {
  const { user } = useSession();
  const [code] = useState(createCode);
  const { phase, problem, wait } = useSyncExternalStore(code.subscribe, () => code.state);
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => code.begin(), [code]);
  useEffect(() => {
    if (phase === 'entering') field.current?.focus();
  }, [phase]);
  useEffect(() => {
    if (phase !== 'trusted') return;
    for (const { queryKey } of [devicesQuery(), sessionsQuery(), eventPages()]) {
      void queries.invalidateQueries({ queryKey });
    }
    deviceTrust.answer(true);
  }, [phase]);
  useEffect(() => {
    // The session has ended: the waiting call fails with its own refusal.
    if (!user) deviceTrust.answer(false);
  }, [user]);

  const close = () => {
    code.stop();
    deviceTrust.answer(false);
  };

  const type = (text: string) => {
    const digits = digitsOf(text);
    setTyped(digits);
    // Six digits are submitted at once, also when they replace a wrong code.
    if (digits.length === CODE_LENGTH && digits !== typed) void code.confirm(digits);
  };

  return (
    <FormDialog
      title="Is this your device?"
      busy={phase === 'confirming'}
      onSubmit={() => void code.confirm(typed)}
      onClose={close}
    >
      <Text>
        This needs a device you trust. {phase === 'mailing' ? 'We are sending' : 'We have sent'} a code to{' '}
        <chakra.strong fontWeight="600">{user?.email}</chakra.strong>. Enter it within ten minutes, and this
        browser is trusted for 90 days.
      </Text>
      <TextField
        ref={field}
        label="Code from the e-mail"
        inputMode="numeric"
        autoComplete="one-time-code"
        placeholder="000000"
        fontFamily="mono"
        fontSize="1.5rem"
        letterSpacing="0.3em"
        minHeight="14"
        value={typed}
        error={problem}
        readOnly={phase !== 'entering'}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <Resend phase={phase} wait={wait} onResend={() => code.resend()} />
      <DialogActions>
        <Button onClick={close} disabled={phase === 'confirming'} minHeight="12">
          Cancel
        </Button>
        <Button
          type="submit"
          variant="contained"
          loading={phase === 'confirming'}
          disabled={phase === 'mailing'}
        >
          Trust this device
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

type ResendProps = { phase: DeviceCodeState['phase']; wait: number; onResend: () => void };

function Resend({ phase, wait, onResend }: ResendProps) {
  return (
    <Flex align="center" justify="space-between" gap="3" wrap="wrap" minHeight="10">
      <Muted>Nothing there? Check the junk folder.</Muted>
      {wait > 0 ? (
        <Muted>
          Send another in <Figures>{wait}</Figures> s
        </Muted>
      ) : (
        <Button
          variant="quiet"
          onClick={onResend}
          loading={phase === 'mailing'}
          disabled={phase === 'confirming'}
        >
          Send another code
        </Button>
      )}
    </Flex>
  );
}
