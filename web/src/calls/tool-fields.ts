export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a tool's arguments or answer; none of what is no JSON object. */
export function fieldsOf(json: string): Fields {
  try {
    const parsed: unknown = JSON.parse(json);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Fields) : {};
  } catch {
    return {};
  }
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
