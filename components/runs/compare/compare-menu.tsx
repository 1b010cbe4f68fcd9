'use client';

import { GitCompareArrows } from 'lucide-react';
import { useInstanceRuns } from '@/components/runs/use-run-rows';
import { Menu } from '@/components/ui/menu';
import { useRouter } from '@/components/ui/navigation';
import { StatusMark } from '@/components/ui/status';
import { runsToCompare } from '@/lib/kudo/view/compared-steps';
import type { RunRow } from '@/lib/kudo/view/run-row';
import { comparePath } from './compare-path';

const MOST_RUNS = 12;

/** Opens the comparison of a run with another one of its Instance: the one before of the same plan is the first choice. */
export function CompareMenu({ row }: { row: RunRow }) {
  const router = useRouter();
  const runs = useInstanceRuns(row.namespace, row.instance);
  const others = runsToCompare(runs, row).slice(0, MOST_RUNS);
  if (others.length === 0) return null;
  return (
    <Menu
      label="Compare with another run"
      className="btn !h-[26px] !px-[9px] !text-xs"
      trigger={
        <>
          <GitCompareArrows size={14} aria-hidden="true" />
          Compare with…
        </>
      }
      entries={others.map(({ key, name, status }) => ({
        key,
        label: name,
        icon: <StatusMark status={status} />,
        onSelect: () => router.push(comparePath(row, name, row.name)),
      }))}
    />
  );
}
