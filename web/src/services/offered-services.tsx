import { Flex, Stack } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Scissors } from 'lucide-react';
import { visitMinutes } from '../day/segments';
import { TextLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { minutesText } from '../time/zoned';
import { Card } from '../ui/card';
import { moneyText } from '../ui/money';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Figures, Muted, Text } from '../ui/text';
import { servicePages } from './queries';

/** What a customer wants to know of the services: name, length, price. */
export function OfferedServices({ businessId }: { businessId: string }) {
  const query = useInfiniteQuery(servicePages(businessId));
  return (
    <Card title="Services" flush action={<TextLink to={paths.services(businessId)}>All services</TextLink>}>
      <Reading
        query={query}
        what="The services"
        skeleton={<RowsSkeleton rows={5} label="Loading services" />}
      >
        {({ pages: [first] }) =>
          first && first.services.length > 0 ? (
            <Stack as="ul" gap="0" listStyleType="none">
              {first.services.map((service) => (
                <Flex
                  as="li"
                  key={service.id}
                  justify="space-between"
                  gap="4"
                  px={{ base: '4', sm: '6' }}
                  py="2.5"
                >
                  <Stack gap="0" minWidth="0">
                    <Text fontWeight="550">{service.name}</Text>
                    <Muted>{minutesText(visitMinutes(service))}</Muted>
                  </Stack>
                  <Figures fontWeight="600">{moneyText(service.priceMinor, service.currency)}</Figures>
                </Flex>
              ))}
            </Stack>
          ) : (
            <Empty icon={Scissors} title="No services yet" />
          )
        }
      </Reading>
    </Card>
  );
}
