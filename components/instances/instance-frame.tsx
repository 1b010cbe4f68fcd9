'use client';

import dynamic from 'next/dynamic';
import type { ReactNode } from 'react';
import { ReadOnlyNotice } from '@/components/access/instance-rights';
import { InstanceProvider, useInstanceView } from '@/components/instance-view/instance-context';
import { useInstanceRuns } from '@/components/runs/use-run-rows';
import { LinkButton } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { loadPart } from '@/components/ui/load-part';
import { Notice } from '@/components/ui/notice';
import { LinkTabs } from '@/components/ui/tabs';
import { TopicState } from '@/components/ui/topic-state';
import { hasBackupGoal } from '@/lib/kudo/view/backup-marks';
import { instancePath } from '@/lib/kudo/view/instance-path';
import { InstanceHeader } from './instance-header';
import { LockNotice } from './lock-notice';
import { useInstanceTitle } from './use-instance-title';

/** Loaded only on clusters without KUDO's CRDs. */
const CrdsMissing = dynamic(() =>
  loadPart(() => import('@/components/operators/crds-missing')).then((module) => module.CrdsMissing),
);

const tabs = [
  ['', 'Overview'],
  ['parameters', 'Parameters'],
  ['plans', 'Plans & runs'],
  ['backups', 'Backups'],
  ['resources', 'Resources'],
  ['logs', 'Logs'],
  ['events', 'Events'],
  ['yaml', 'YAML'],
] as const;

/** The header and the tabs of an Instance, around the content of a tab. */
export function InstanceFrame({ namespace, name, children }: { namespace: string; name: string; children: ReactNode }) {
  return (
    <InstanceProvider namespace={namespace} name={name}>
      <FrameBody>{children}</FrameBody>
    </InstanceProvider>
  );
}

function FrameBody({ children }: { children: ReactNode }) {
  const view = useInstanceView();
  useInstanceTitle(view);
  const hasBackups = useHasBackups(view);
  if (view.row === undefined) return <NoInstance />;
  return (
    <>
      <InstanceHeader row={view.row} deleted={view.deleted} />
      {view.deleted && (
        <Notice
          tone="hold"
          title={`Instance ${view.name} was deleted`}
          className="mb-4"
          action={<LinkButton href="/instances">All instances</LinkButton>}
        >
          This page shows its last known state.
        </Notice>
      )}
      {!view.deleted && <ReadOnlyNotice row={view.row} />}
      {!view.deleted && <LockNotice row={view.row} />}
      <LinkTabs
        label="Instance"
        tabs={tabs
          .filter(([tab]) => tab !== 'backups' || hasBackups)
          .map(([tab, label]) => ({ label, href: instancePath(view.namespace, view.name, tab) }))}
      />
      <div className="mt-4">{children}</div>
    </>
  );
}

/** Where nobody makes backups, and nobody has a goal for them, there is no tab. */
function useHasBackups({ namespace, name, row }: ReturnType<typeof useInstanceView>): boolean {
  const runs = useInstanceRuns(namespace, name, row?.instance.metadata.uid);
  const isMade = runs.some(({ run }) => run.status?.outputs?.some(({ type }) => type === 'backup') === true);
  return isMade || (row !== undefined && hasBackupGoal(row));
}

function NoInstance() {
  const view = useInstanceView();
  return (
    <section className="card overflow-clip">
      {view.status === 'missing' ? (
        <div className="px-4 pt-4">
          <h1 className="mb-3 font-semibold text-md">{view.name} cannot be read</h1>
          <CrdsMissing />
        </div>
      ) : (
        <TopicState view={view} what="instances" />
      )}
      {view.status === 'ready' && (
        <EmptyState
          heading
          title={`Instance ${view.name} does not exist in namespace ${view.namespace}`}
          action={
            <LinkButton href="/instances" variant="primary">
              All instances
            </LinkButton>
          }
        >
          It was deleted, or the address is wrong.
        </EmptyState>
      )}
    </section>
  );
}
