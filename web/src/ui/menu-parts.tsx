import { Menu as Base, useMenuContext } from '@chakra-ui/react';
import {
  type ComponentProps,
  createContext,
  type ReactElement,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useEffectEvent,
  useRef,
} from 'react';
import type { MenuProps } from './menu-props';
import { MenuTrigger } from './menu-trigger';

const TriggerRef = createContext<RefObject<HTMLButtonElement | null>>({ current: null });

/** A menu that was asked for: it opens as it comes. */
export function OpenMenu({ label, trigger, align = 'start', triggerProps, children }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  // Closed by a key soon after it opened, it can forget where the focus was.
  const giveFocusBack = () => {
    const { activeElement, body } = document;
    const isLost = activeElement === body || activeElement?.closest('[role="menu"]');
    if (isLost) button.current?.focus({ preventScroll: true });
  };
  return (
    <Base.Root
      defaultOpen
      onOpenChange={({ open }) => {
        if (!open) setTimeout(giveFocusBack);
      }}
      loopFocus
      positioning={{ placement: `bottom-${align}`, strategy: 'fixed', gutter: 6 }}
    >
      <Button ref={button} aria-label={label} {...triggerProps}>
        {trigger}
      </Button>
      {/* Beside its button rather than at the end of the page: a menu in a dialog stays in front of it. */}
      <Base.Positioner>
        <Base.Content
          zIndex="menu"
          minWidth="15rem"
          maxWidth="min(22rem, calc(100vw - 24px))"
          maxHeight="min(28rem, 70dvh)"
          overflowY="auto"
          outline="none"
          bg="bg.card"
          border="1px solid"
          borderColor="line"
          borderRadius="card"
          boxShadow="float"
          p="1.5"
          _open={{ animation: 'arrive 0.12s ease-out' }}
        >
          <TriggerRef value={button}>
            <FromFirst>{children}</FromFirst>
          </TriggerRef>
        </Base.Content>
      </Base.Positioner>
    </Base.Root>
  );
}

const OPENING = ['Enter', ' ', 'ArrowDown', 'ArrowUp'];

function Button(props: ComponentProps<typeof MenuTrigger>) {
  const { open, setOpen } = useMenuContext();
  return (
    <Base.Trigger asChild>
      <MenuTrigger
        type="button"
        // Without it the menu keeps shut where it was not told of the focus: a dialog that closes gives the focus back
        // while React listens to no events.
        onKeyDown={({ key }) => {
          if (!open && OPENING.includes(key)) setOpen(true);
        }}
        {...props}
      />
    </Base.Trigger>
  );
}

/** Opens with the first item highlighted, however it was opened. */
function FromFirst({ children }: { children: ReactNode }) {
  const { setHighlightedValue } = useMenuContext();
  const items = useRef<HTMLDivElement>(null);
  const highlight = useEffectEvent(() => {
    const first = items.current?.querySelector<HTMLElement>('[role^="menuitem"]')?.dataset.value;
    if (first !== undefined) setHighlightedValue(first);
  });
  useEffect(() => highlight(), []);
  return <div ref={items}>{children}</div>;
}

const item = {
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
  _highlighted: { bg: 'bg.hover' },
  '[role=menu]:focus-visible &[data-highlighted]': {
    outline: '2px solid',
    outlineColor: 'focus',
    outlineOffset: '-2px',
  },
} as const;

type MenuItemProps = Omit<ComponentProps<typeof Base.Item>, 'onClick' | 'onSelect'> & {
  onPick: () => void;
};

/** Something that can be done; the menu closes. */
export function MenuItem({ onPick, ...props }: MenuItemProps) {
  const button = use(TriggerRef);
  return (
    <Base.Item
      css={item}
      // Its `onSelect` goes by where the pointer went down, which a screen reader's click does not say.
      onClick={() => {
        // A dialog that opens now gives the focus back to where it is.
        button.current?.focus();
        onPick();
      }}
      {...props}
    />
  );
}

/** Somewhere to go: the only child is a link. */
export function MenuLink({ value, children }: { value: string; children: ReactElement }) {
  return (
    <Base.Item css={item} value={value} asChild>
      {children}
    </Base.Item>
  );
}

type MenuChoicesProps = {
  label?: string;
  /** The one that is chosen. */
  value: string;
  onPick: (value: string) => void;
  children: ReactNode;
};

/** Of these, one holds. */
export function MenuChoices({ label, value, onPick, children }: MenuChoicesProps) {
  return (
    <Base.RadioItemGroup value={value} onValueChange={(chosen) => onPick(chosen.value)}>
      {label && <Base.ItemGroupLabel css={heading}>{label}</Base.ItemGroupLabel>}
      {children}
    </Base.RadioItemGroup>
  );
}

type MenuChoiceProps = Omit<ComponentProps<typeof Base.RadioItem>, 'closeOnSelect'> & {
  /** The menu stays open. */
  stays?: boolean;
};

/** One of `MenuChoices`. */
export function MenuChoice({ stays = false, ...props }: MenuChoiceProps) {
  const button = use(TriggerRef);
  return (
    <Base.RadioItem
      css={item}
      closeOnSelect={!stays}
      onClick={() => {
        if (!stays) button.current?.focus();
      }}
      {...props}
    />
  );
}

const heading = {
  px: '3',
  pt: '2',
  pb: '1',
  fontSize: '0.8125rem',
  fontWeight: '600',
  color: 'fg.muted',
} as const;

/** Items under a heading. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Base.ItemGroup>
      <Base.ItemGroupLabel css={heading}>{label}</Base.ItemGroupLabel>
      {children}
    </Base.ItemGroup>
  );
}

export function MenuLine() {
  return <Base.Separator css={{ border: 'none', height: '1px', bg: 'line', my: '1.5', mx: '1.5' }} />;
}
