/** In characters, as the contract bounds it. */
export const LONGEST_NOTE = 2000;
