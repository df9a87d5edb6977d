/** An amount in minor units, the way the viewer's language writes it: £45, £45.50. */
export function moneyText(minor: number, currency: string): string {
  if (!currency) return '';
  const probe = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  const amount = minor / 10 ** digitsOf(currency);
  if (!Number.isInteger(amount)) return probe.format(amount);
  return new Intl.NumberFormat(undefined, { style: 'currency', currency, maximumFractionDigits: 0 }).format(
    amount,
  );
}

function digitsOf(currency: string): number {
  const probe = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  return probe.resolvedOptions().maximumFractionDigits ?? 2;
}

/** An amount as it is typed into a field: 45, 45.50. */
export function majorText(minor: number, currency: string): string {
  const digits = digitsOf(currency);
  const amount = minor / 10 ** digits;
  return Number.isInteger(amount) ? String(amount) : amount.toFixed(digits);
}

/** What was typed, in minor units; undefined when it is no amount of this currency. */
export function minorOf(text: string, currency: string): number | undefined {
  const [, whole = '', fraction = ''] = /^(\d{1,7})(?:[.,](\d+))?$/.exec(text.trim()) ?? [];
  const digits = digitsOf(currency);
  if (!whole || fraction.length > digits) return undefined;
  return Number(whole) * 10 ** digits + Number(fraction.padEnd(digits, '0') || 0);
}

/** How a currency is written beside an amount: £, €, CHF. */
export function currencySymbol(currency: string): string {
  const parts = new Intl.NumberFormat(undefined, { style: 'currency', currency }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}
