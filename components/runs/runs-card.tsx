'use client';

import { LinkButton } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import type { RunRow } from '@/lib/kudo/view/run-row';
import { RunTable } from './run-table';

const MOST = 10;

/** The last runs of an Instance; nothing when none is recorded. */
export function RunsCard({ rows, instance }: { rows: readonly RunRow[]; instance: string }) {
  if (rows.length === 0) return null;
  const all = `/runs?${new URLSearchParams({ instance })}`;
  return (
    <Card
      title="Runs"
      note={String(rows.length)}
      action={
        rows.length > MOST ? (
          <LinkButton size="small" href={all}>
            All runs
          </LinkButton>
        ) : undefined
      }
    >
      <RunTable rows={rows.slice(0, MOST)} />
    </Card>
  );
}
