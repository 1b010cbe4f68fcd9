'use client';

import { ArchiveRestore, Trash2 } from 'lucide-react';
import { useMemo } from 'react';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { useInstanceRuns } from '@/components/runs/use-run-rows';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { StatusText } from '@/components/ui/status';
import { Age } from '@/components/ui/time-ago';
import { useNow } from '@/components/ui/use-now';
import { deletePlanOf, restorePlanOf } from '@/lib/kudo/runs/backup-plans';
import { type Backup, backupsOf } from '@/lib/kudo/runs/backups';
import { bytesText } from '@/lib/kudo/view/bytes-text';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { runPath } from '@/lib/kudo/view/run-row';
import { BackupPlanButton } from './backup-plan-button';

/** The backups of the Instance, as the Jobs of its runs said; the newest first. */
export function BackupsTab() {
  const { namespace, name, row, deleted } = useInstanceView();
  const runs = useInstanceRuns(namespace, name, row?.instance.metadata.uid);
  const backups = useMemo(() => backupsOf(runs.map(({ run }) => run)), [runs]);
  const nowMs = useNow(5_000);
  if (backups.length === 0) {
    return (
      <section className="card">
        <EmptyState title="No run has made a backup" guide="runs">
          A backup is listed here when a Job of a plan names it in its termination message. Start the plan that backs up
          from the{' '}
          <Link className="link" href={instancePath(namespace, name, 'plans')}>
            plans
          </Link>
          .
        </EmptyState>
      </section>
    );
  }
  return (
    <section className="card overflow-x-auto">
      <table className="table">
        <caption className="sr-only">Backups</caption>
        <thead>
          <tr>
            <th scope="col">Backup</th>
            <th scope="col">Created</th>
            <th scope="col" className="num max-sm:hidden">
              Size
            </th>
            <th scope="col" className="max-md:hidden">
              Read back
            </th>
            <th scope="col" className="max-sm:hidden">
              Run
            </th>
            <th scope="col">
              <span className="sr-only">Restore or delete</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {backups.map((backup) => (
            <tr key={backup.name} data-backup={backup.name}>
              <BackupCells backup={backup} nowMs={nowMs} />
              <td className="num">
                {row !== undefined && <BackupButtons row={row} backup={backup.name} isDeleted={deleted} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** *Restore*, where a plan does that, and *Delete*, which says so where none does. */
function BackupButtons({ row, backup, isDeleted }: { row: InstanceRow; backup: string; isDeleted: boolean }) {
  const restore = restorePlanOf(row.operatorVersionObject);
  const remove = deletePlanOf(row.operatorVersionObject);
  const common = { row, backup, isDeleted };
  return (
    <span className="inline-flex flex-wrap justify-end gap-2">
      {restore !== undefined && (
        <BackupPlanButton {...common} found={restore} icon={ArchiveRestore} label="Restore" spoken={`from ${backup}`} />
      )}
      {remove === undefined ? (
        <Button
          size="small"
          icon={<Trash2 size={14} aria-hidden="true" />}
          disabledReason={`Version ${row.operatorVersion} has no plan that deletes one backup.`}
        >
          Delete<span className="sr-only"> {backup}</span>
        </Button>
      ) : (
        <BackupPlanButton {...common} found={remove} icon={Trash2} label="Delete" spoken={backup} />
      )}
    </span>
  );
}

function BackupCells({ backup, nowMs }: { backup: Backup; nowMs: number }) {
  const { namespace, name } = useInstanceView();
  const { createdAt, size, target, isVerified, run } = backup;
  return (
    <>
      <td>
        <code className="break-all font-medium">{backup.name}</code>
        <span className="block break-all text-ink-3 text-xs">{target}</span>
        <span className="block whitespace-nowrap text-ink-2 text-xs sm:hidden">
          {size !== undefined && bytesText(size)}
        </span>
      </td>
      <td>
        <Age at={createdAt} nowMs={nowMs} suffix=" ago" />
      </td>
      <td className="num whitespace-nowrap max-sm:hidden">{size === undefined ? '—' : bytesText(size)}</td>
      <td className="max-md:hidden">
        {isVerified ? <StatusText status="COMPLETE" word="Verified" /> : <span className="text-ink-2">No</span>}
      </td>
      <td className="max-sm:hidden">
        <Link className="link" href={runPath({ namespace, instance: name, name: run })}>
          {run}
        </Link>
      </td>
    </>
  );
}
