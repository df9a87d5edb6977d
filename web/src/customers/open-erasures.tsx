import { Box } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useZone } from '../business/use-zone';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import { dateAndTime, moment } from '../time/zoned';
import { Badge } from '../ui/badge';
import { Card, CardRow } from '../ui/card';
import { Muted } from '../ui/text';
import { waitsText } from './erasure-text';
import { openErasuresQuery } from './queries';

/** Erasures that have not ended: the list of customers names those whom they are of no more. */
export function OpenErasures({ businessId }: { businessId: string }) {
  const zone = useZone(businessId);
  const erasures = useQuery(openErasuresQuery(businessId)).data?.erasures ?? [];
  if (erasures.length === 0) return null;
  return (
    <Card title="Being erased" flush>
      <Box as="ul" aria-label="Being erased" listStyleType="none">
        {erasures.map((erasure) => {
          const begun = moment(erasure.begunAt);
          return (
            <CardRow direction="column" key={erasure.customerId} gap="1" align="flex-start">
              <TextLink to={paths.customer(businessId, erasure.customerId)} fontWeight="600">
                Erasure begun {begun && dateAndTime(begun, zone)}
              </TextLink>
              <Muted>{waitsText(erasure)}</Muted>
              {erasure.late && <Badge tone="warn">Takes longer than an hour</Badge>}
            </CardRow>
          );
        })}
      </Box>
    </Card>
  );
}
