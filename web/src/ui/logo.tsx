import { chakra } from '@chakra-ui/react';

/** The bell on the counter. */
function Mark({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#148c84" />
      <path
        d="M7 22h18M9.5 22a6.5 6.5 0 0 1 13 0M16 15.5v-3M13.5 11.5h5"
        fill="none"
        stroke="#fff"
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

export function Logo({ size = 32 }: { size?: number }) {
  return (
    <chakra.span display="inline-flex" alignItems="center" gap="2.5" color="fg">
      <Mark size={size} />
      <chakra.span fontSize={`${size * 0.64}px`} fontWeight="650" letterSpacing="-0.02em">
        Frontdesk
      </chakra.span>
    </chakra.span>
  );
}
