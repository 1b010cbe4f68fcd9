'use client';

import { ArrowUp, Ellipsis, FileCode, Play, SlidersHorizontal, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useRightToStart } from '@/components/access/instance-lock';
import { useAccess } from '@/components/access/use-access';
import { LazyConfirmPlanDialog } from '@/components/plans/lazy-confirm-plan-dialog';
import { PlanButton } from '@/components/plans/plan-button';
import { useRunPlan } from '@/components/plans/use-run-plan';
import { Menu } from '@/components/ui/menu';
import { useRouter } from '@/components/ui/navigation';
import { DEPLOY_PLAN } from '@/lib/kudo/names';
import { toDelete } from '@/lib/kudo/view/action-rights';

import { instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { asksFirst, ownPlans, planBlock } from '@/lib/kudo/view/plan-availability';
import { LazyDeleteDialog } from './lazy-delete-dialog';
import { LazyVersionDialog } from './lazy-version-dialog';
import { useAsk } from './use-ask';
import { useCollectDiagnostics } from './use-collect-diagnostics';
import { useLockEntry } from './use-lock-entry';

/** The operator's own plans as buttons, everything else in a menu. */
export function InstanceActions({ row, deleted }: { row: InstanceRow; deleted: boolean }) {
  const router = useRouter();
  const run = useRunPlan();
  const [asked, ask] = useAsk();
  const close = () => ask(undefined);
  const [moving, setMoving] = useState(false);
  const toRun = useRightToStart(row);
  const rightToDelete = useAccess(toDelete(row.namespace));
  const gone = deletionText(row, deleted);
  const deleteBlock = gone ?? rightToDelete.block;
  const lock = useLockEntry(row, gone);
  const diagnostics = useCollectDiagnostics(row);
  const plans = ownPlans(row);
  return (
    <>
      {plans.slice(0, 4).map((plan) => (
        <PlanButton key={plan} plan={plan} />
      ))}
      <Menu
        label="More actions"
        className="btn"
        trigger={<Ellipsis size={16} aria-hidden="true" />}
        entries={[
          {
            key: 'edit',
            label: 'Edit parameters',
            icon: <SlidersHorizontal size={15} aria-hidden="true" />,
            onSelect: () => router.push(instancePath(row.namespace, row.name, 'parameters')),
          },
          {
            key: 'yaml',
            label: 'Edit as YAML',
            icon: <FileCode size={15} aria-hidden="true" />,
            onSelect: () => router.push(instancePath(row.namespace, row.name, 'yaml')),
          },
          {
            key: 'deploy',
            label: 'Run deploy again',
            icon: <Play size={15} aria-hidden="true" />,
            disabledReason: toRun.missing ?? planBlock(row, DEPLOY_PLAN, deleted) ?? toRun.block,
            'data-plan': DEPLOY_PLAN,
            onSelect: () => (asksFirst(row, DEPLOY_PLAN) ? ask(DEPLOY_PLAN) : run.mutate({ plan: DEPLOY_PLAN })),
          },
          {
            key: 'version',
            label: 'Change version…',
            icon: <ArrowUp size={15} aria-hidden="true" />,
            disabledReason: toRun.missing ?? planBlock(row, '', deleted) ?? toRun.block,
            onSelect: () => setMoving(true),
          },
          lock.entry,
          diagnostics,
          {
            key: 'delete',
            label: 'Delete…',
            danger: true,
            icon: <Trash2 size={15} aria-hidden="true" />,
            disabledReason: deleteBlock,
            onSelect: () => ask('delete'),
          },
        ]}
      />
      <LazyVersionDialog row={row} open={moving} onClose={() => setMoving(false)} />
      {lock.dialog}
      <LazyDeleteDialog row={row} open={asked === 'delete' && deleteBlock === undefined} onClose={close} />
      {asked !== undefined && [...plans, DEPLOY_PLAN].includes(asked) && toRun.block === undefined && (
        <LazyConfirmPlanDialog
          open
          plan={asked}
          row={row}
          onClose={close}
          onConfirm={(start) => {
            close();
            run.mutate(start);
          }}
        />
      )}
    </>
  );
}

/** Why an Instance cannot be deleted again; undefined while it exists. */
function deletionText({ instance }: InstanceRow, deleted: boolean): string | undefined {
  if (deleted) return 'The instance was deleted.';
  return instance.metadata.deletionTimestamp === undefined ? undefined : 'The instance is being deleted.';
}
