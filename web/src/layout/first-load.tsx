import { Box, Flex } from '@chakra-ui/react';
import { ProgressLine } from '../ui/progress-line';
import { PageSkeleton, skeletonFor } from './skeletons';

/** Before the first page there is none to keep: its placeholder comes as soon as it is not there by itself. */
export function FirstLoad() {
  const kind = skeletonFor(window.location.pathname);
  return (
    <>
      <ProgressLine active />
      {kind === 'login' ? (
        <Box maxWidth="27rem" mx="auto" px="4" py="16">
          <PageSkeleton kind={kind} />
        </Box>
      ) : (
        <Flex minHeight="100dvh">
          <Box hideBelow="md" width="264px" bg="bg.bar" borderRight="1px solid" borderColor="line" />
          <Box flex="1">
            <Box minHeight="60px" bg="bg.bar" borderBottom="1px solid" borderColor="line" />
            <Box maxWidth="1280px" mx="auto" px={{ base: '4', md: '8' }} pt={{ base: '5', md: '8' }}>
              <PageSkeleton kind={kind} />
            </Box>
          </Box>
        </Flex>
      )}
    </>
  );
}
