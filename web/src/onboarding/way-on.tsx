import { PageLinks } from '../layout/card-page';
import { TextLink } from '../layout/links';
import { landingOf } from '../session/landing';
import type { User } from '../session/user';

/** Leaves the flow for the person's work: a calendar can be connected later as well. */
export function WayOn({ user }: { user: User }) {
  return (
    <PageLinks>
      <TextLink to={landingOf(user)}>Go on without connecting</TextLink>
    </PageLinks>
  );
}
