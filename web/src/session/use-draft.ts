import { useEffect, useEffectEvent, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { useLocation } from 'react-router';
import { toasts } from '../ui/toasts';
import { session, tabStorage } from './current';
import { Drafts, type Values } from './drafts';

const drafts = new Drafts(tabStorage);

session.onEnd((end) => {
  const person = session.state.user?.email;
  if (person && (end === 'expired' || end === 'again')) drafts.keep(person);
  else drafts.forget();
});

/** Brings back what a form of this page held when the session ended, and follows it from then on. */
function useDraft(name: string, read: () => Values | null, restore: (values: Values) => void): void {
  const form = `${useLocation().pathname}#${name}`;
  const readNow = useEffectEvent(read);
  const restoreNow = useEffectEvent(restore);
  useEffect(() => {
    const { user, cachedUser } = session.state;
    const kept = drafts.take(form, (user ?? cachedUser)?.email ?? '');
    if (kept) {
      restoreNow(kept);
      toasts.show('info', 'What you had filled in is back.');
    }
    return drafts.follow(form, () => readNow());
  }, [form]);
}

/**
 * Keeps a form over the end of the session. The form must have its default
 * values already; `name` tells it from the other forms of its page.
 */
export function useKeptForm<T extends FieldValues>(name: string, form: UseFormReturn<T>): void {
  const { isDirty } = form.formState;
  useDraft(
    name,
    () => (isDirty ? form.getValues() : null),
    (values) => form.reset({ ...form.getValues(), ...values }, { keepDefaultValues: true }),
  );
}

/** A text that is kept the same way, for a field without a form around it. */
export function useKeptText(name: string, before = ''): [text: string, change: (text: string) => void] {
  const [text, change] = useState(before);
  useDraft(
    name,
    () => (text === before ? null : { text }),
    (values) => change(String(values.text)),
  );
  return [text, change];
}
