'use client';

import { useMemo } from 'react';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { useRunRecord } from '@/components/runs/use-run-record';
import { Card } from '@/components/ui/card';
import { useNow } from '@/components/ui/use-now';
import { parameterDifferences, runsBetween } from '@/lib/kudo/runs/comparison';
import { compareSteps } from '@/lib/kudo/view/compared-steps';
import type { RunRow } from '@/lib/kudo/view/run-row';
import { treeLines } from '@/lib/kudo/view/run-tree-lines';
import { ComparedFacts } from './compared-facts';
import { ComparedManifests } from './compared-manifests';
import { ComparedParameters } from './compared-parameters';
import { StepBars } from './step-bars';

interface ComparedRunsProps {
  earlier: RunRow;
  later: RunRow;
  /** All runs of the Instance: what those in between changed of the parameters is a difference too. */
  rows: readonly RunRow[];
}

/** What differs between two runs: facts, parameters, durations of the steps, manifests. */
export function ComparedRuns({ earlier, later, rows }: ComparedRunsProps) {
  const { row: instance } = useInstanceView();
  const nowMs = useNow(earlier.isOver && later.isOver ? 60_000 : 1_000);
  const [before, after] = [useRunRecord(earlier), useRunRecord(later)];
  const steps = useMemo(
    () => compareSteps(treeLines(earlier.run, instance?.instance), treeLines(later.run, instance?.instance)),
    [earlier.run, later.run, instance?.instance],
  );
  const differences = useMemo(() => {
    const between = runsBetween(
      rows.map(({ run }) => run),
      earlier.run,
      later.run,
    );
    return parameterDifferences(earlier.run, [...between, later.run]);
  }, [rows, earlier.run, later.run]);
  return (
    <div className="grid gap-4">
      <Card title="Summary">
        <ComparedFacts earlier={earlier} later={later} nowMs={nowMs} />
      </Card>
      <Card title="Parameters" note={differences === undefined ? undefined : differenceCount(differences.length)}>
        <ComparedParameters differences={differences} earlier={earlier} later={later} />
      </Card>
      <Card title="Steps" note={steps.length > 0 && String(steps.length)}>
        <StepBars steps={steps} earlier={earlier} later={later} nowMs={nowMs} />
      </Card>
      <ComparedManifests earlier={earlier} later={later} before={before} after={after} />
    </div>
  );
}

function differenceCount(count: number): string {
  return count === 1 ? '1 differs' : `${count} differ`;
}
