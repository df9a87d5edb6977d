import { useEffect, useState } from 'react';
import { door } from '../session/current';
import { offersGoogle } from '../session/provider/configuration';

/** Whether Google can be connected here. Where the server can't tell, pressing the button says why. */
export function useOffersGoogle(): boolean {
  const [offered, setOffered] = useState(false);
  useEffect(() => {
    let here = true;
    const show = (offers: boolean) => here && setOffered(offers);
    door.frontendConfiguration().then(
      (configuration) => show(offersGoogle(configuration)),
      () => show(true),
    );
    return () => {
      here = false;
    };
  }, []);
  return offered;
}
