import { lazy, Suspense, useSyncExternalStore } from 'react';
import { deviceTrust } from '../api/device-trust';

const TrustedDeviceDialog = lazy(() => import('./trusted-device-dialog'));

/** Whenever a call waits for a trusted device, on whatever page: one dialog. */
export function DeviceQuestion() {
  const asking = useSyncExternalStore(deviceTrust.subscribe, () => deviceTrust.asking);
  if (!asking) return null;
  return (
    <Suspense>
      <TrustedDeviceDialog />
    </Suspense>
  );
}
