/** What the address calls the view of a month. */
export const MONTH = 'month';

/** The month of a day, or of one employee's time in it. */
export const monthSearch = (day: string, today: string, employeeId = ''): string =>
  `?${new URLSearchParams({
    view: MONTH,
    ...(day !== today && { date: day }),
    ...(employeeId && { employee: employeeId }),
  })}`;
