import { Box, chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Check, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import { rpcQuery } from '../api/query';
import { AccountService } from '../gen/frontdesk/auth/v1/account_pb';
import { paths } from '../paths';
import { roleName } from '../session/roles';
import { signOut } from '../session/sign-out';
import { useSession } from '../session/use-session';
import { Avatar } from '../ui/avatar';
import { type ColourMode, colourMode, onColourMode, setColourMode } from '../ui/colour-mode';
import { Menu, MenuChoice, MenuChoices, MenuItem, MenuLine, MenuLink } from '../ui/menu';

const MODES = [
  { mode: 'light', label: 'Light', icon: Sun },
  { mode: 'dark', label: 'Dark', icon: Moon },
  { mode: 'system', label: 'Like the system', icon: Monitor },
] as const satisfies { mode: ColourMode; label: string; icon: typeof Sun }[];

/** The signed-in user, the colour mode, and signing out. */
export function UserMenu() {
  const { user, cachedUser } = useSession();
  const mode = useSyncExternalStore(onColourMode, colourMode);
  const { data: me } = useQuery(rpcQuery(AccountService.method.getMe, {}));
  const person = user ?? cachedUser;
  if (!person) return null;
  const name = me?.name || person.name;
  return (
    <Menu label={`Account of ${name}`} align="end" trigger={<Avatar name={name} size="36px" />}>
      <Box px="3" py="2">
        <chakra.p fontWeight="600" overflowWrap="anywhere">
          {name}
        </chakra.p>
        <chakra.p fontSize="0.875rem" color="fg.muted" overflowWrap="anywhere">
          {person.email} · {roleName(person.role)}
        </chakra.p>
      </Box>
      <MenuLink value="account">
        <Link to={paths.myAccount}>
          <UserRound size={18} aria-hidden />
          Your account
        </Link>
      </MenuLink>
      <MenuLine />
      <MenuChoices label="Appearance" value={mode} onPick={(chosen) => setColourMode(chosen as ColourMode)}>
        {MODES.map(({ mode: candidate, label, icon: Icon }) => (
          // One looks at it before one goes on.
          <MenuChoice key={candidate} value={candidate} stays>
            <Icon size={18} aria-hidden />
            <chakra.span flex="1">{label}</chakra.span>
            {candidate === mode && <Check size={18} aria-hidden />}
          </MenuChoice>
        ))}
      </MenuChoices>
      <MenuLine />
      <MenuItem value="sign-out" onPick={() => void signOut()}>
        <LogOut size={18} aria-hidden />
        Sign out
      </MenuItem>
    </Menu>
  );
}
