/** Names have up to 200 characters; a heading has room for about half of that. */
const LONGEST = 100;

/** Props of a heading with words that people chose: very long ones are cut after three lines, and are its title. */
export const longHeading = (words: string) =>
  words.length > LONGEST ? { lineClamp: '3', title: words } : {};
