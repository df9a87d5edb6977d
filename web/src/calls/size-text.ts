/** "850 KB", "2.1 MB". */
export function sizeText(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  return megabytes < 1 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${megabytes.toFixed(1)} MB`;
}
