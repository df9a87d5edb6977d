import { chakra, Stack } from '@chakra-ui/react';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { Fragment, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { DRAWER_WIDTH, modals } from './modals';
import { sessionToasts, type Toast, type ToastAction, type Toasts, toasts } from './toasts';
import { FOOTING } from './use-footing';
import { useFreePlace } from './use-free-place';

const LOOK = {
  good: { icon: CircleCheck, colour: 'good.fg' },
  bad: { icon: CircleAlert, colour: 'bad.fg' },
  info: { icon: Info, colour: 'info.fg' },
} as const;

/** Clears the navigation bar of a phone, and any bar at the foot of the page. */
const SESSION_BOTTOM = { base: `calc(5rem + ${FOOTING})`, md: `calc(1rem + ${FOOTING})` };

const NONE: readonly Toast[] = [];

const CORNER = { right: '4' };

/** From `md` on, a toast has room beside a drawer. On narrower screens it lies over the drawer, where nothing is to press. */
const BESIDE_DRAWER = { right: { base: '4', md: `calc(${DRAWER_WIDTH} + 1rem)` } };

/** Both places toasts appear in: within the dialog in front, where there is one, since nothing else takes a press then. */
export function Toasters() {
  const front = useSyncExternalStore(modals.subscribe, () => modals.front);
  const corner = front?.place === 'right' ? BESIDE_DRAWER : CORNER;
  const places = (
    <Fragment key={front ? 'dialog' : 'page'}>
      <Region toasts={toasts} top="72px" label="Notifications" {...corner} />
      <Region toasts={sessionToasts} bottom={SESSION_BOTTOM} label="Session notifications" {...corner} />
    </Fragment>
  );
  return front ? createPortal(places, front.element) : places;
}

type RegionProps = { toasts: Toasts; label: string; top?: string; bottom?: object; right: string | object };

function Region({ toasts: place, label, ...position }: RegionProps) {
  const list = useSyncExternalStore(place.subscribe, () => place.list);
  // What comes into a region that is there already is read aloud: a toast may have moved with it.
  const [there, setThere] = useState(false);
  useEffect(() => setThere(true), []);
  const shown = there ? list : NONE;
  const region = useRef<HTMLDivElement>(null);
  const shift = useFreePlace(region, position.top ? 'top' : 'bottom', shown);
  return (
    <Stack
      ref={region}
      as="section"
      aria-label={label}
      aria-live="polite"
      position="fixed"
      width="min(24rem, calc(100vw - 32px))"
      gap="2"
      zIndex="toast"
      pointerEvents="none"
      style={shift ? { translate: `0 ${shift}px` } : undefined}
      {...position}
    >
      {shown.map((toast) => (
        <Item key={toast.id} toast={toast} place={place} />
      ))}
    </Stack>
  );
}

function Item({ toast, place }: { toast: Toast; place: Toasts }) {
  const { icon: Icon, colour } = LOOK[toast.tone];
  const { action, other } = toast;
  // One that moves into a dialog, or out of it, is left by the pointer and the focus without a word.
  useEffect(() => () => place.release(toast.id), [place, toast.id]);
  return (
    <chakra.div
      pointerEvents="auto"
      display="flex"
      alignItems="flex-start"
      gap="3"
      p="3"
      ps="4"
      bg="bg.card"
      border="1px solid"
      borderColor="line"
      borderRadius="card"
      boxShadow="float"
      animation="arrive 0.18s ease-out"
      onPointerEnter={() => place.hold(toast.id)}
      onPointerLeave={() => place.resume(toast.id)}
      onFocus={() => place.hold(toast.id)}
      onBlur={() => place.resume(toast.id)}
    >
      <chakra.span color={colour} pt="1">
        <Icon size={20} aria-hidden />
      </chakra.span>
      {/* Where words and actions have no room beside each other, they stand below them. */}
      <chakra.div display="flex" flexWrap="wrap" columnGap="3" flex="1" minWidth="0" alignItems="center">
        <chakra.p flex="1 1 13rem" py="0.5" fontSize="0.9375rem" fontWeight="500" overflowWrap="anywhere">
          {toast.text}
        </chakra.p>
        {(action || other) && (
          <chakra.div display="flex" mx="-2">
            {action && <Act action={action} onDone={() => place.dismiss(toast.id)} />}
            {other && <Act action={other} onDone={() => place.dismiss(toast.id)} />}
          </chakra.div>
        )}
      </chakra.div>
      <chakra.button
        type="button"
        aria-label="Dismiss this notification"
        onClick={() => place.dismiss(toast.id)}
        width="11"
        height="11"
        my="-1.5"
        me="-1.5"
        display="grid"
        placeItems="center"
        borderRadius="button"
        color="fg.muted"
        cursor="pointer"
        _hover={{ bg: 'bg.hover' }}
      >
        <X size={18} aria-hidden />
      </chakra.button>
    </chakra.div>
  );
}

function Act({ action, onDone }: { action: ToastAction; onDone: () => void }) {
  return (
    <chakra.button
      type="button"
      flexShrink="0"
      minHeight="11"
      px="2"
      fontSize="0.9375rem"
      fontWeight="650"
      color="link"
      borderRadius="button"
      cursor="pointer"
      _hover={{ bg: 'bg.hover' }}
      onClick={() => {
        onDone();
        action.run();
      }}
    >
      {action.label}
    </chakra.button>
  );
}
