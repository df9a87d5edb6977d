/** "2 years" where it is whole years, else "30 days". */
export function daysText(days: number): string {
  if (days > 0 && days % 365 === 0) return days === 365 ? '1 year' : `${days / 365} years`;
  return days === 1 ? '1 day' : `${days} days`;
}
