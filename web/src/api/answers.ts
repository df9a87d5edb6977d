/** Lets the session clear this tab's cached answers without loading the query client, which the sign-in does not need. */
export const answers = {
  /** Set when the query client is loaded; until then there is nothing to clear. */
  clear: (): void => undefined,
};
