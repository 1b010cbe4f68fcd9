'use client';

import { useMemo } from 'react';
import { useInstanceView } from '@/components/instance-view/instance-context';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { type TreeLine, treeLines } from '@/lib/kudo/view/run-tree-lines';

/** The phases and steps of a run of the page's Instance, live while it runs. */
export function useRunLines(run: PlanRun): readonly TreeLine[] {
  const { row } = useInstanceView();
  return useMemo(() => treeLines(run, row?.instance), [run, row?.instance]);
}
