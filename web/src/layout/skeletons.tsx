import { Surface } from '../ui/card';
import { Bar, Loading, RowsSkeleton } from '../ui/skeleton';

export type SkeletonKind = 'account' | 'businessList' | 'calls' | 'businessDetail' | 'login' | 'dashboard';

/** The kind of placeholder for an address. */
export function skeletonFor(pathname: string): SkeletonKind {
  if (
    /^\/(login|register|forgot-password|reset-password|auth|onboarding|privacy|debug|demo)(\/|$)|^\/$/.test(
      pathname,
    )
  )
    return 'login';
  if (/^\/admin\/businesses\/[^/]+\/agent-settings/.test(pathname)) return 'businessDetail';
  if (/^\/my\/businesses|^\/admin\/businesses/.test(pathname)) return 'businessList';
  if (/^\/my\//.test(pathname)) return 'account';
  if (/^\/[^/]+\/(calls|customers|items)\/?$/.test(pathname)) return 'calls';
  if (/^\/admin(\/|$)|^\/[^/]+\/?$/.test(pathname)) return 'dashboard';
  return 'businessDetail';
}

/** Rows of the blocks in each column. */
const BLOCKS: Record<SkeletonKind, readonly (readonly number[])[]> = {
  login: [[3]],
  account: [[3]],
  businessList: [[4]],
  calls: [[8]],
  businessDetail: [[6], [3]],
  dashboard: [[6], [3, 3]],
};

/** The placeholder of a page that is loading. */
export function PageSkeleton({ kind }: { kind: SkeletonKind }) {
  return (
    <Loading label="Loading page">
      <div className="bar-page">
        <div className="bar-lines">
          <Bar width="240px" height="2rem" />
          <Bar width="340px" height="0.9rem" />
        </div>
        <div className={`bar-columns ${kind}`}>
          {BLOCKS[kind].map((blocks, column) => (
            <div className="bar-page" key={column}>
              {blocks.map((rows, block) => (
                <Surface py="2" key={block}>
                  <RowsSkeleton rows={rows} label="" />
                </Surface>
              ))}
            </div>
          ))}
        </div>
      </div>
    </Loading>
  );
}
