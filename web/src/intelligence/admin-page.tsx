import { useParams } from 'react-router';
import { BusinessInHand } from '../business/business-in-hand';
import { ChooseBusiness } from '../business/choose-business';
import { isId, paths } from '../paths';
import { Intelligence } from './intelligence';

export { loader, shouldRevalidate } from './intelligence-page';

/** An administrator chooses the business first. */
export function Component() {
  const { businessId } = useParams();
  if (!isId(businessId)) return <ChooseBusiness title="Service intelligence" to={paths.adminIntelligence} />;
  return (
    <Intelligence
      key={businessId}
      businessId={businessId}
      above={() => <BusinessInHand businessId={businessId} choose={paths.adminIntelligence()} />}
    />
  );
}
