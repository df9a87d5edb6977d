import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useAction } from '../api/action';
import { SecurityService, type TrustedDevice } from '../gen/frontdesk/auth/v1/security_pb';
import { messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { dateText, moment, viewerZone } from '../time/zoned';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { toasts } from '../ui/toasts';
import { browserIcon, browserName } from './browser-icon';
import { Entries, Entry } from './entry';
import { devicesQuery, eventPages, sessionsQuery } from './queries';

/** Trusted devices: browsers in which a mailed code was entered. */
export function Devices() {
  const query = useQuery(devicesQuery());
  return (
    <Card title="Trusted devices" flush>
      <Reading
        query={query}
        what="Your trusted devices"
        skeleton={<RowsSkeleton rows={2} label="Loading trusted devices" />}
      >
        {({ devices }) =>
          devices.length === 0 ? (
            <Empty icon={ShieldCheck} title="No trusted devices">
              Before something important, we mail you a code. The browser you enter it in is trusted for 90
              days.
            </Empty>
          ) : (
            <Entries label="Trusted devices">
              {devices.map((device) => (
                <DeviceEntry key={device.id} device={device} />
              ))}
            </Entries>
          )
        }
      </Reading>
    </Card>
  );
}

function DeviceEntry({ device }: { device: TrustedDevice }) {
  const queries = useQueryClient();
  const zone = viewerZone();
  const [since, until] = [moment(device.trustedAt), moment(device.expiresAt)];
  const { act, running } = useAction(SecurityService.method.revokeTrustedDevice, {
    onDone: () => {
      for (const { queryKey } of [devicesQuery(), sessionsQuery(), eventPages()]) {
        void queries.invalidateQueries({ queryKey });
      }
      toasts.show('good', 'This device is no longer trusted.');
    },
    onRefused: (error) => toasts.show('bad', messageOf(error, 'The device is still trusted.')),
  });
  const name = browserName(device.browser);
  return (
    <Entry
      icon={browserIcon(device.browser)}
      tone={device.current ? 'brand' : 'quiet'}
      title={name}
      badges={device.current && <Badge tone="brand">This browser</Badge>}
      details={[since && `Trusted since ${dateText(since, zone)}`, until && `until ${dateText(until, zone)}`]}
      action={
        <Button
          loading={running}
          onClick={() => act({ deviceId: device.id })}
          aria-label={`Stop trusting ${name}`}
        >
          Stop trusting
        </Button>
      }
    />
  );
}
