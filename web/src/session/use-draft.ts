import { useEffect, useEffectEvent, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { useLocation } from 'react-router';
import { toasts } from '../ui/toasts';
import { session, tabStorage } from './current';
import { Drafts, type Values } from './drafts';

/** How long a form is kept: over the end of the session at least. */
type Keeping = {
  /** Over a reload as well: for a form that is on its page from the start, or adds something new. */
  overReload?: boolean;
};

const drafts = new Drafts(tabStorage);

session.onEnd((end) => {
  const person = session.state.user?.email;
  if (person && (end === 'expired' || end === 'again')) drafts.keep(person);
  else drafts.forget();
});

/** A phone may end a page that is out of sight without another word. */
function keepOverReload(): void {
  const person = address();
  if (person) drafts.keepOverReload(person);
}

window.addEventListener('pagehide', keepOverReload);
window.addEventListener('pageshow', () => drafts.dropOfOpenForms());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') keepOverReload();
  else drafts.dropOfOpenForms();
});

function address(): string {
  const { user, cachedUser } = session.state;
  return (user ?? cachedUser)?.email ?? '';
}

/** Brings back what a form of this page held when the page or the session ended, and follows it from then on. */
function useDraft(
  name: string,
  read: () => Values | null,
  restore: (values: Values) => void,
  { overReload = false }: Keeping = {},
): void {
  const form = `${useLocation().pathname}#${name}`;
  const readNow = useEffectEvent(read);
  const restoreNow = useEffectEvent(restore);
  useEffect(() => {
    const kept = drafts.take(form, address());
    if (kept) {
      restoreNow(kept);
      toasts.show('info', 'What you had filled in is back.');
    }
    return drafts.follow(form, () => readNow(), overReload);
  }, [form, overReload]);
}

/**
 * Keeps a form over the end of the session. The form must have its default
 * values already; `name` tells it from the other forms of its page.
 */
export function useKeptForm<T extends FieldValues>(
  name: string,
  form: UseFormReturn<T>,
  keeping?: Keeping,
): void {
  const { isDirty } = form.formState;
  useDraft(
    name,
    () => (isDirty ? form.getValues() : null),
    (values) => form.reset({ ...form.getValues(), ...values }, { keepDefaultValues: true }),
    keeping,
  );
}

/** A text that is kept the same way, for a field without a form around it. */
export function useKeptText(
  name: string,
  before = '',
  keeping?: Keeping,
): [text: string, change: (text: string) => void] {
  const [text, change] = useState(before);
  useDraft(
    name,
    () => (text === before ? null : { text }),
    (values) => change(String(values.text)),
    keeping,
  );
  return [text, change];
}

/** Several values that are kept the same way. */
export function useKeptValues<T extends Values>(name: string, before: T, keeping?: Keeping) {
  const [values, change] = useState(before);
  useDraft(
    name,
    () => (JSON.stringify(values) === JSON.stringify(before) ? null : values),
    (kept) => change({ ...before, ...kept }),
    keeping,
  );
  return [values, change] as const;
}
