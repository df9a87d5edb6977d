import { lazy, Suspense, useState } from 'react';
import type { MenuProps } from './menu-props';
import { MenuTrigger } from './menu-trigger';

/** Needed by no page until a menu is opened. */
const parts = () => import('./menu-parts');

/**
 * A button with a menu, worked by arrows, Home, End, letters and Escape. Until it is opened for the first time, it is a
 * button and nothing else.
 */
export function Menu(props: MenuProps) {
  const [asked, setAsked] = useState(false);
  const { label, trigger, triggerProps } = props;
  const ask = () => setAsked(true);
  const button = (
    <MenuTrigger
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      aria-label={label}
      onPointerEnter={() => void parts()}
      onFocus={() => void parts()}
      onClick={ask}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        ask();
      }}
      {...triggerProps}
    >
      {trigger}
    </MenuTrigger>
  );
  return asked ? (
    <Suspense fallback={button}>
      <OpenMenu {...props} />
    </Suspense>
  ) : (
    button
  );
}

const OpenMenu = lazy(async () => ({ default: (await parts()).OpenMenu }));
export const MenuItem = lazy(async () => ({ default: (await parts()).MenuItem }));
export const MenuLink = lazy(async () => ({ default: (await parts()).MenuLink }));
export const MenuChoices = lazy(async () => ({ default: (await parts()).MenuChoices }));
export const MenuChoice = lazy(async () => ({ default: (await parts()).MenuChoice }));
export const MenuGroup = lazy(async () => ({ default: (await parts()).MenuGroup }));
export const MenuLine = lazy(async () => ({ default: (await parts()).MenuLine }));
