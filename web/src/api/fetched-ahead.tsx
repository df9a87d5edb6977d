import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';
import { afterwards } from './warm';

type Fetched<Props> = { Component?: ComponentType<Props> | undefined; error?: unknown };

/**
 * A component in a file of its own, fetched once the first page is shown, so that a press or a key shows it at once.
 * Unlike React's `lazy`, nothing holds it back: what arrives after a fallback waits there for up to 300 ms.
 */
export function fetchedAhead<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  /** Shown until it is loaded, where the page would jump without it, or keys are typed for it already. */
  waiting: ReactNode | ((props: Props) => ReactNode) = null,
): ComponentType<Props> {
  let known: ComponentType<Props> | undefined;
  let under: Promise<ComponentType<Props>> | undefined;
  const fetched = () => {
    under ??= load().then(
      (Component) => {
        known = Component;
        return Component;
      },
      (error) => {
        // The next use tries again.
        under = undefined;
        throw error;
      },
    );
    return under;
  };
  // Where it fails, the first use reports it.
  void afterwards(fetched).catch(() => undefined);

  return function FetchedAhead(props: Props) {
    const [{ Component, error }, set] = useState<Fetched<Props>>(() => ({ Component: known }));
    useEffect(() => {
      if (Component) return;
      let wanted = true;
      fetched().then(
        (Component) => wanted && set({ Component }),
        (error) => wanted && set({ error }),
      );
      return () => {
        wanted = false;
      };
    }, [Component]);
    if (error) throw error;
    if (Component) return <Component {...props} />;
    return typeof waiting === 'function' ? createElement(waiting, props) : waiting;
  };
}
