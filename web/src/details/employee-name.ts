import * as z from 'zod/mini';

/** What an employee is called, as a form has it. */
export const employeeName = z
  .string()
  .check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(200, 'At most 200 characters.'));
