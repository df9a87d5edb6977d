/** "today, 12:00" of "Today, 12:00", where it does not begin a line. Names of days keep their capital. */
export function inSentence(text: string): string {
  return text.replace(/^(Today|Tomorrow|Yesterday)\b/, (word) => word.toLowerCase());
}
