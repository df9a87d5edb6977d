import { Grid, Stack } from '@chakra-ui/react';
import { Surface } from '../ui/card';
import { Bar, Loading, RowsSkeleton } from '../ui/skeleton';

export type SkeletonKind = 'account' | 'businessList' | 'calls' | 'businessDetail' | 'login' | 'dashboard';

/** The kind of placeholder for an address. */
export function skeletonFor(pathname: string): SkeletonKind {
  if (
    /^\/(login|register|forgot-password|reset-password|auth|onboarding|privacy|debug)(\/|$)|^\/$/.test(
      pathname,
    )
  )
    return 'login';
  if (/^\/my\/businesses|^\/admin\/businesses/.test(pathname)) return 'businessList';
  if (/^\/my\//.test(pathname)) return 'account';
  if (/^\/[^/]+\/calls\/?$/.test(pathname)) return 'calls';
  if (/^\/admin(\/|$)|^\/[^/]+\/?$/.test(pathname)) return 'dashboard';
  return 'businessDetail';
}

/** What stands where a page is about to. */
export function PageSkeleton({ kind }: { kind: SkeletonKind }) {
  return (
    <Loading label="Loading page">
      <Stack gap="6">
        <Stack gap="3">
          <Bar width="240px" height="2rem" />
          <Bar width="340px" height="0.9rem" />
        </Stack>
        <Body kind={kind} />
      </Stack>
    </Loading>
  );
}

function Body({ kind }: { kind: SkeletonKind }) {
  switch (kind) {
    case 'login':
    case 'account':
      return <Block rows={3} />;
    case 'businessList':
    case 'calls':
      return <Block rows={kind === 'calls' ? 8 : 4} />;
    case 'businessDetail':
      return (
        <Grid gap="6" gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 2fr) minmax(0, 1fr)' }}>
          <Block rows={6} />
          <Block rows={3} />
        </Grid>
      );
    case 'dashboard':
      return (
        <Grid gap="6" gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 3fr) minmax(0, 2fr)' }}>
          <Block rows={6} />
          <Stack gap="6">
            <Block rows={3} />
            <Block rows={3} />
          </Stack>
        </Grid>
      );
  }
}

function Block({ rows }: { rows: number }) {
  return (
    <Surface py="2">
      <RowsSkeleton rows={rows} label="" />
    </Surface>
  );
}
