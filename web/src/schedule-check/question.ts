/** What is checked, as the address carries it. */
export type Question = {
  items: { serviceId: string; employeeId: string }[];
  /** On the salon's clock: "2026-11-24T10:30". */
  at: string;
};

export const MOST_ITEMS = 6;

export function questionOf(search: URLSearchParams): Question {
  const items = search.getAll('item').slice(0, MOST_ITEMS);
  return {
    items: items.map((item) => {
      const [serviceId = '', employeeId = ''] = item.split('~');
      return { serviceId, employeeId };
    }),
    at: search.get('at') ?? '',
  };
}

/** The address of a question; what else it carries stays. */
export function searchOf(question: Question, before: URLSearchParams): URLSearchParams {
  const after = new URLSearchParams(before);
  after.delete('item');
  for (const { serviceId, employeeId } of question.items)
    after.append('item', employeeId ? `${serviceId}~${employeeId}` : serviceId);
  after.set('at', question.at);
  return after;
}
