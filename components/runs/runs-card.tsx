'use client';

import { useCallback, useState } from 'react';
import { Button, LinkButton } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { byTime } from '@/lib/kudo/runs/run-words';
import type { RunRow } from '@/lib/kudo/view/run-row';
import { comparePath } from './compare/compare-path';
import { RunTable } from './run-table';

const MOST = 10;

/** The last runs of an Instance, two of which can be chosen to compare them; nothing when none is recorded. */
export function RunsCard({ rows, instance }: { rows: readonly RunRow[]; instance: string }) {
  const [ticked, setTicked] = useState<readonly string[]>([]);
  // The one that was ticked first gives way to a third.
  const onTick = useCallback(
    (name: string) =>
      setTicked((before) =>
        before.includes(name) ? before.filter((each) => each !== name) : [...before.slice(-1), name],
      ),
    [],
  );
  if (rows.length === 0) return null;
  const all = `/runs?${new URLSearchParams({ instance })}`;
  return (
    <Card
      title="Runs"
      note={String(rows.length)}
      action={
        <>
          {rows.length > 1 && <CompareButton chosen={rows.filter(({ name }) => ticked.includes(name))} />}
          {rows.length > MOST && (
            <LinkButton size="small" href={all}>
              All runs
            </LinkButton>
          )}
        </>
      }
    >
      <RunTable rows={rows.slice(0, MOST)} {...(rows.length > 1 ? { ticks: { ticked, onTick } } : {})} />
    </Card>
  );
}

function CompareButton({ chosen }: { chosen: readonly RunRow[] }) {
  const [from, to] = [...chosen].sort((a, b) => byTime(b.run, a.run));
  if (from === undefined || to === undefined) {
    return (
      <Button size="small" disabledReason="Choose two runs in the list.">
        Compare
      </Button>
    );
  }
  return (
    <LinkButton size="small" href={comparePath(from, from.name, to.name)}>
      Compare
    </LinkButton>
  );
}
