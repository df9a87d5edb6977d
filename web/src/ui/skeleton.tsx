import type { ReactNode } from 'react';
import { ScreenReaderOnly } from './text';

type BarProps = { width?: string; height?: string; round?: boolean };

/** A grey bar where something is about to stand. Plain: the first page draws many, and only for a moment. */
export function Bar({ width = '100%', height = '1rem', round = false }: BarProps) {
  return <div className={round ? 'bar round' : 'bar'} style={{ width, height }} />;
}

/** Announces once that something loads, and hides the bars themselves. */
export function Loading({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="status" aria-live="polite">
      <ScreenReaderOnly>{label}</ScreenReaderOnly>
      <div aria-hidden>{children}</div>
    </div>
  );
}

/** Rows of a list on their way. */
export function RowsSkeleton({ rows = 4, label }: { rows?: number; label: string }) {
  return (
    <Loading label={label}>
      <div className="bar-rows">
        {Array.from({ length: rows }, (_, row) => (
          <div className="bar-row" key={row}>
            <Bar width="40px" height="40px" round />
            <div className="bar-lines">
              <Bar width={`${52 - (row % 3) * 9}%`} />
              <Bar width={`${34 + (row % 2) * 12}%`} height="0.75rem" />
            </div>
            <Bar width="64px" height="1.5rem" />
          </div>
        ))}
      </div>
    </Loading>
  );
}
