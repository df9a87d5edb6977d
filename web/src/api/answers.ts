/** What this tab was answered, for those who only want it gone: the sign-in loads nothing that keeps answers. */
export const answers = {
  /** Forgets them all; nothing where there are none yet. */
  clear: (): void => undefined,
};
