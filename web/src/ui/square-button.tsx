import type { ReactNode } from 'react';
import { Button, type ButtonProps } from './button';

type SquareButtonProps = Omit<ButtonProps, 'aria-label' | 'children'> & {
  label: string;
  children: ReactNode;
};

/** A sign that does something, as large as a finger; what it does is said, not written. */
export function SquareButton({ label, ...rest }: SquareButtonProps) {
  return <Button variant="quiet" minWidth="11" px="2" aria-label={label} {...rest} />;
}
