import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Avatar } from '../ui/avatar';
import { businessQuery, logoQuery } from './queries';

type BusinessMarkProps = {
  businessId: string;
  /** What the business is called where its details are not read yet. */
  name: string;
  /** Another colour than its own, such as one that is being chosen. */
  color?: string;
  size?: string;
};

/** A business's logo, else its initials. The name always stands beside it, so it is decoration, no text. */
export function BusinessMark({ businessId, name, color, size = '36px' }: BusinessMarkProps) {
  const business = useQuery(businessQuery(businessId)).data?.business;
  const digest = business?.logoDigest ?? '';
  const { data: picture } = useQuery({ ...logoQuery(businessId, digest), enabled: digest !== '' });
  if (!digest || !picture)
    return <Avatar name={name} color={color ?? business?.brandColor ?? ''} size={size} />;
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
