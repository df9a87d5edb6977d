import { Page } from '../layout/page';
import { BusinessList } from './business-list';

type ChooseBusinessProps = {
  title: string;
  /** The same page, of the business chosen. */
  to: (businessId: string) => string;
};

/** Of which business an administrator wants to see a page. */
export function ChooseBusiness({ title, to }: ChooseBusinessProps) {
  return (
    <Page title={title} lead="Choose a business.">
      <BusinessList to={to} />
    </Page>
  );
}
