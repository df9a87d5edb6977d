import { Box } from '@chakra-ui/react';
import { ReactQueryDevtools } from '@tanstack/react-query-devtools/production';
import { queries } from '../api/query-client';
import { cspNonce } from '../runtime';

/** The query client's devtools. The module exists outside production builds only. */
export default function QueryDevtools() {
  const nonce = cspNonce();
  // On a phone the place belongs to the navigation.
  return (
    <Box hideBelow="md">
      <ReactQueryDevtools
        client={queries}
        initialIsOpen={false}
        buttonPosition="bottom-left"
        {...(nonce ? { styleNonce: nonce } : {})}
      />
    </Box>
  );
}
