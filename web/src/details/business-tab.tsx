import { Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { may } from '../api/access';
import { ReadBusinessMark } from '../business/business-mark';
import { businessQuery } from '../business/queries';
import { AppointmentAccess, BusinessAccess } from '../gen/access';
import type { Business } from '../gen/frontdesk/tenancy/v1/business_pb';
import { Reading } from '../layout/reading';
import { Card } from '../ui/card';
import { Fact, Facts } from '../ui/facts';
import { MailLink } from '../ui/mail-link';
import { PhoneLink } from '../ui/phone-link';
import { RowsSkeleton } from '../ui/skeleton';
import { Muted } from '../ui/text';
import { BusinessForm } from './business-form';
import type { TabProps } from './tab-props';

/** What the business is called and how to reach it: its owner changes it, the others read it. */
export function BusinessTab({ businessId, role }: TabProps) {
  const query = useQuery(businessQuery(businessId));
  const changes = may(BusinessAccess.updateBusiness, role);
  // Guests see no telephone number on the home page either.
  const inside = may(AppointmentAccess.listAppointments, role);
  return (
    <Reading
      query={query}
      what="The details"
      framed
      missingIsPage
      skeleton={
        <Card title="Business">
          <RowsSkeleton rows={4} label="Loading the details" />
        </Card>
      }
    >
      {({ business }) =>
        business &&
        (changes ? (
          <BusinessForm businessId={businessId} business={business} />
        ) : (
          <Read business={business} inside={inside} />
        ))
      }
    </Reading>
  );
}

function Read({ business, inside }: { business: Business; inside: boolean }) {
  const { name, address, phone, email, website, currency } = business;
  return (
    <Card title="Business">
      <Stack gap="5">
        <Flex align="center" gap="3">
          <ReadBusinessMark businessId={business.id} name={name} size="64px" />
          <Muted>Only owners can change these details.</Muted>
        </Flex>
        <Facts>
          <Fact name="Name">{name}</Fact>
          {inside && <Fact name="Phone">{phone ? <PhoneLink phone={phone} /> : 'Not given'}</Fact>}
          <Fact name="Website">{website || 'Not given'}</Fact>
          <Fact name="Currency">{currency || 'Not chosen'}</Fact>
          <Fact name="Address" long>
            {address || 'Not given'}
          </Fact>
          {inside && (
            <Fact name="E-mail" long>
              {email ? <MailLink email={email} /> : 'Not given'}
            </Fact>
          )}
        </Facts>
      </Stack>
    </Card>
  );
}
