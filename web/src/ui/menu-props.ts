import type { ComponentProps, ReactNode } from 'react';
import type { MenuTrigger } from './menu-trigger';

export type MenuProps = {
  /** What the button says to those who cannot see it, when its content does not. */
  label?: string;
  trigger: ReactNode;
  align?: 'start' | 'end';
  triggerProps?: ComponentProps<typeof MenuTrigger>;
  /** Made of `MenuItem`, `MenuLink`, `MenuChoices`, `MenuGroup` and `MenuLine`. */
  children: ReactNode;
};
