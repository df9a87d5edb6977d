/** An amount in minor units, the way the viewer's language writes it: £45, £45.50. */
export function moneyText(minor: number, currency: string): string {
  if (!currency) return '';
  const probe = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  const digits = probe.resolvedOptions().maximumFractionDigits ?? 2;
  const amount = minor / 10 ** digits;
  if (!Number.isInteger(amount)) return probe.format(amount);
  return new Intl.NumberFormat(undefined, { style: 'currency', currency, maximumFractionDigits: 0 }).format(
    amount,
  );
}
