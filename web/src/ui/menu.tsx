import { Box, chakra } from '@chakra-ui/react';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

type MenuProps = {
  /** What the button says to those who cannot see it, when its content does not. */
  label?: string;
  trigger: ReactNode;
  align?: 'start' | 'end';
  triggerProps?: Parameters<typeof Trigger>[0];
  /** Items: elements made with `MenuItem` or styled by `menuItem`. */
  children: (close: () => void) => ReactNode;
};

const Trigger = chakra('button', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '2.5',
    minHeight: '11',
    minWidth: '11',
    px: '2',
    borderRadius: 'button',
    color: 'fg.toolbar',
    textAlign: 'start',
    cursor: 'pointer',
    transition: 'colors',
    _hover: { bg: 'bg.hover' },
    _expanded: { bg: 'bg.hover' },
  },
});

const ITEMS = '[role^="menuitem"]';

/** A button with a menu, worked by arrows, Home, End, letters and Escape. */
export function Menu({ label, trigger, align = 'start', triggerProps, children }: MenuProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const upwards = useUpwards(open, button, list);

  useEffect(() => {
    if (!open) return;
    items(list.current)[0]?.focus();
    const outside = (event: PointerEvent) => {
      if (!frame.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [open]);

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      close();
    } else if (event.key === 'Tab') {
      setOpen(false);
    } else if (moveFocus(items(list.current), event.key)) {
      event.preventDefault();
    }
  };

  return (
    <Box ref={frame} position="relative" minWidth="0">
      <Trigger
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={label}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        }}
        {...triggerProps}
      >
        {trigger}
      </Trigger>
      {open && (
        <Box
          ref={list}
          id={id}
          role="menu"
          aria-label={label}
          onKeyDown={onKeyDown}
          position="absolute"
          {...(upwards ? { bottom: BESIDE } : { top: BESIDE })}
          {...(align === 'end' ? { right: '0' } : { left: '0' })}
          zIndex="menu"
          minWidth="15rem"
          maxWidth="min(22rem, calc(100vw - 24px))"
          maxHeight="min(28rem, 70dvh)"
          overflowY="auto"
          bg="bg.card"
          border="1px solid"
          borderColor="line"
          borderRadius="card"
          boxShadow="float"
          p="1.5"
          animation="arrive 0.12s ease-out"
        >
          {children(close)}
        </Box>
      )}
    </Box>
  );
}

const BESIDE = 'calc(100% + 6px)';
/** The bar at the foot of a phone's screen, and a little air. */
const FOOT = 72;

/** Whether the menu has room above its button only. */
function useUpwards(
  open: boolean,
  button: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
): boolean {
  const [upwards, setUpwards] = useState(false);
  useLayoutEffect(() => {
    const place = open && button.current?.getBoundingClientRect();
    const height = list.current?.offsetHeight ?? 0;
    setUpwards(
      place ? place.bottom + height > window.innerHeight - FOOT && place.top > height + FOOT : false,
    );
  }, [open, button, list]);
  return upwards;
}

export const MenuItem = chakra('button', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    width: '100%',
    minHeight: '11',
    px: '3',
    py: '2',
    borderRadius: 'button',
    fontSize: '0.9375rem',
    fontWeight: '500',
    color: 'fg',
    textAlign: 'start',
    textDecoration: 'none',
    cursor: 'pointer',
    _hover: { bg: 'bg.hover' },
    _focusVisible: { bg: 'bg.hover', outlineOffset: '-2px' },
  },
});

export const MenuLabel = chakra('div', {
  base: { px: '3', pt: '2', pb: '1', fontSize: '0.8125rem', fontWeight: '600', color: 'fg.muted' },
});

export const MenuLine = chakra('div', { base: { height: '1px', bg: 'line', my: '1.5', mx: '1.5' } });

function items(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>(ITEMS) ?? [])];
}

/** Moves the focus the way menus do; tells whether the key meant anything. */
function moveFocus(all: HTMLElement[], key: string): boolean {
  const at = all.indexOf(document.activeElement as HTMLElement);
  const to = target(all, at, key);
  if (to === undefined) return false;
  all[to]?.focus();
  return true;
}

function target(all: HTMLElement[], at: number, key: string): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % all.length;
    case 'ArrowUp':
      return (at - 1 + all.length) % all.length;
    case 'Home':
      return 0;
    case 'End':
      return all.length - 1;
    default:
      return key.length === 1 && key !== ' ' ? startingWith(all, at, key) : undefined;
  }
}

function startingWith(all: HTMLElement[], at: number, letter: string): number | undefined {
  const order = all.map((_, index) => (at + 1 + index) % all.length);
  return order.find((index) =>
    all[index]?.textContent?.trim().toLowerCase().startsWith(letter.toLowerCase()),
  );
}
