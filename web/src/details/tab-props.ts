/** What each tab of a business's details is told. */
export type TabProps = { businessId: string; role: string; zone: string };
