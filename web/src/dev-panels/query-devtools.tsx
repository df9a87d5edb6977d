import { Box } from '@chakra-ui/react';
import { ReactQueryDevtools } from '@tanstack/react-query-devtools/production';
import { useLayoutEffect } from 'react';
import { queries } from '../api/query-client';
import { cspNonce } from '../runtime';
import { FOOTING } from '../ui/use-footing';

/** The query client's devtools. The module exists outside production builds only. */
export default function QueryDevtools() {
  const nonce = cspNonce();
  // Navigation and pages end above its button.
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    style.setProperty('--devtools', '3.5rem');
    return () => void style.removeProperty('--devtools');
  }, []);
  // On a phone the navigation is at the foot of the page.
  return (
    <Box
      css={{ '& .tsqd-open-btn-container': { bottom: { base: `calc(4.5rem + ${FOOTING})`, md: '12px' } } }}
    >
      <ReactQueryDevtools
        client={queries}
        initialIsOpen={false}
        buttonPosition="bottom-left"
        {...(nonce ? { styleNonce: nonce } : {})}
      />
    </Box>
  );
}
