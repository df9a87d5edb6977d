import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Avatar } from '../ui/avatar';
import { useSeen } from '../ui/use-seen';
import { businessQuery, logoQuery } from './queries';

type BusinessMarkProps = {
  businessId: string;
  name: string;
  /** As #148c84; empty for one of the name's. */
  color: string;
  /** Names the logo; empty without one. */
  logoDigest: string;
  size?: string;
};

/**
 * A business's logo, once it is in sight, else its initials. The name always stands beside it, so it is decoration, no
 * text.
 */
export function BusinessMark({ businessId, name, color, logoDigest, size = '36px' }: BusinessMarkProps) {
  const { ref, seen } = useSeen<HTMLSpanElement>();
  const { data: picture } = useQuery({
    ...logoQuery(businessId, logoDigest),
    enabled: seen && logoDigest !== '',
  });
  if (!logoDigest || !picture)
    return <Avatar {...(logoDigest && { ref })} name={name} color={color} size={size} />;
  return (
    <chakra.img
      src={picture}
      alt=""
      flexShrink="0"
      width={size}
      height={size}
      objectFit="contain"
      borderRadius="md"
      // Logos are drawn for paper: one of dark ink would be gone on a dark page.
      bg="white"
    />
  );
}

type ReadBusinessMarkProps = {
  businessId: string;
  /** What the business is called where its details are not read yet. */
  name: string;
  /** Another colour than its own, such as one that is being chosen. */
  color?: string;
  size?: string;
};

/** The mark of a business whose details the page reads. */
export function ReadBusinessMark({ businessId, name, color, ...rest }: ReadBusinessMarkProps) {
  const business = useQuery(businessQuery(businessId)).data?.business;
  return (
    <BusinessMark
      businessId={businessId}
      name={name}
      color={color ?? business?.brandColor ?? ''}
      logoDigest={business?.logoDigest ?? ''}
      {...rest}
    />
  );
}
