import { Box, chakra } from '@chakra-ui/react';
import { Check, ChevronsUpDown, Store } from 'lucide-react';
import { Link } from 'react-router';
import { paths } from '../paths';
import { isAdmin, roleName } from '../session/roles';
import { Menu, MenuGroup, MenuLine, MenuLink } from '../ui/menu';
import { BusinessMark, ReadBusinessMark } from './business-mark';
import { useMemberships } from './queries';

type SwitcherProps = { businessId: string | undefined; businessName: string; role: string };

/** The current business, and a menu of the others. */
export function BusinessSwitcher({ businessId, businessName, role }: SwitcherProps) {
  const memberships = useMemberships() ?? [];
  const current = businessId ? businessName || 'This business' : 'Choose a business';
  return (
    <Menu
      label={`Business: ${current}`}
      triggerProps={{ width: '100%', minWidth: '0' }}
      trigger={
        <>
          {businessId ? (
            <ReadBusinessMark businessId={businessId} name={current} size="32px" />
          ) : (
            <Store size={20} aria-hidden />
          )}
          <chakra.span flex="1" minWidth="0" truncate fontWeight="600">
            {current}
          </chakra.span>
          {/* A phone needs the room for the name. */}
          <chakra.span hideBelow="sm" flexShrink="0">
            <ChevronsUpDown size={16} aria-hidden />
          </chakra.span>
        </>
      }
    >
      {memberships.length > 0 && (
        <>
          <MenuGroup label="Your businesses">
            {memberships.map((membership) => (
              <MenuLink key={membership.businessId} value={membership.businessId}>
                <Link to={paths.business(membership.businessId)}>
                  <BusinessMark
                    businessId={membership.businessId}
                    name={membership.businessName}
                    color={membership.brandColor}
                    logoDigest={membership.logoDigest}
                    size="28px"
                  />
                  <Box flex="1" minWidth="0">
                    <chakra.span display="block" truncate>
                      {membership.businessName || 'Unnamed business'}
                    </chakra.span>
                    <chakra.span display="block" fontSize="0.8125rem" color="fg.muted">
                      {roleName(membership.role)}
                    </chakra.span>
                  </Box>
                  {membership.businessId === businessId && <Check size={18} aria-label="Current" />}
                </Link>
              </MenuLink>
            ))}
          </MenuGroup>
          <MenuLine />
        </>
      )}
      <MenuLink value="all">
        <Link to={isAdmin(role) ? paths.adminBusinesses : paths.myBusinesses}>
          <Store size={18} aria-hidden />
          All businesses
        </Link>
      </MenuLink>
    </Menu>
  );
}
