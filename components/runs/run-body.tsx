'use client';

import { useCallback } from 'react';
import { useUrlState } from '@/components/resources/use-url-state';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import type { RunRow } from '@/lib/kudo/view/run-row';
import { currentLine, placeOfStep, type StepLine, stepLines, type TreeLine } from '@/lib/kudo/view/run-tree-lines';
import { RunTree } from './run-tree';
import { RunViews } from './run-views';

/** The steps of a run beside what is known of the chosen one, and of the run. The address has the chosen step and view. */
export function RunBody({ row, lines, deleted }: { row: RunRow; lines: readonly TreeLine[]; deleted: boolean }) {
  const [place, choose] = useUrlState('step');
  const steps = stepLines(lines);
  const chosen = steps.find((line) => placeOfStep(line) === place);
  const shown = chosen ?? currentLine(lines);
  const onChoose = useCallback((line: StepLine) => choose(placeOfStep(line)), [choose]);
  const done = steps.filter(({ status }) => status === 'COMPLETE' || status === 'skipped').length;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(280px,360px)_minmax(0,1fr)]">
      <Card
        title="Steps"
        note={steps.length > 0 && `${done} of ${steps.length} done`}
        action={
          chosen !== undefined &&
          !row.isOver && (
            <Button size="small" variant="quiet" onClick={() => choose('')}>
              Follow the run
            </Button>
          )
        }
      >
        {lines.length === 0 ? (
          <EmptyState title="No step is recorded yet">The first record is written a second after the start.</EmptyState>
        ) : (
          <RunTree row={row} lines={lines} shown={shown} onChoose={onChoose} />
        )}
      </Card>
      <RunViews row={row} lines={lines} shown={shown} deleted={deleted} />
    </div>
  );
}
