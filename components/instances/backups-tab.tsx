'use client';

import Link from 'next/link';
import { useMemo } from 'react';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { useInstanceRuns } from '@/components/runs/use-run-rows';
import { EmptyState } from '@/components/ui/empty-state';
import { StatusText } from '@/components/ui/status';
import { Age } from '@/components/ui/time-ago';
import { useNow } from '@/components/ui/use-now';
import { backupsOf } from '@/lib/kudo/runs/backups';
import { bytesText } from '@/lib/kudo/view/bytes-text';
import { instancePath } from '@/lib/kudo/view/instance-path';
import { runPath } from '@/lib/kudo/view/run-row';

/** The backups of the Instance, as the Jobs of its runs said; the newest first. */
export function BackupsTab() {
  const { namespace, name, row } = useInstanceView();
  const runs = useInstanceRuns(namespace, name, row?.instance.metadata.uid);
  const backups = useMemo(() => backupsOf(runs.map(({ run }) => run)), [runs]);
  const nowMs = useNow(5_000);
  if (backups.length === 0) {
    return (
      <section className="card">
        <EmptyState title="No run has made a backup">
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
            <th scope="col">Size</th>
            <th scope="col">Read back</th>
            <th scope="col">Run</th>
          </tr>
        </thead>
        <tbody>
          {backups.map(({ name: backup, createdAt, size, target, isVerified, run }) => (
            <tr key={backup} data-backup={backup}>
              <td>
                <code className="font-medium">{backup}</code>
                {target !== undefined && <span className="block text-ink-3 text-xs">{target}</span>}
              </td>
              <td>
                <Age at={createdAt} nowMs={nowMs} suffix=" ago" />
              </td>
              <td className="tabular-nums">{size === undefined ? '—' : bytesText(size)}</td>
              <td>
                {isVerified ? <StatusText status="COMPLETE" word="Verified" /> : <span className="text-ink-2">No</span>}
              </td>
              <td>
                <Link className="link" href={runPath({ namespace, instance: name, name: run })}>
                  {run}
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
