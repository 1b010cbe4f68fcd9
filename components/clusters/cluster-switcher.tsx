'use client';

import { ChevronDown, Server } from 'lucide-react';
import dynamic from 'next/dynamic';
import { type ReactNode, useState } from 'react';
import { loadPart } from '@/components/ui/load-part';
import { StatusMark } from '@/components/ui/status';
import { clusterStateWords } from '@/lib/clusters/state-words';
import { useClusterHealth, useIsCurrent } from './use-clusters';

const SwitchClusterDialog = dynamic(
  () => loadPart(() => import('./switch-cluster-dialog')).then((module) => module.SwitchClusterDialog),
  { ssr: false },
);

/**
 * Shows the cluster of the page with its health, and opens the list of the others. `single` is shown instead while the console has one
 * cluster, and until that is known.
 */
export function ClusterSwitcher({ title, single }: { title: string; single: ReactNode }) {
  const { data } = useClusterHealth();
  const isCurrent = useIsCurrent();
  const [open, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  if (open && !wasOpened) setWasOpened(true);
  const clusters = data?.clusters ?? [];
  if (clusters.length < 2) return single;
  const current = clusters.find(isCurrent);
  const look = clusterStateWords[current?.state ?? 'idle'];
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        title={current?.problem ?? title}
        onClick={() => setOpen(true)}
        className="inline-flex h-8 min-w-0 items-center gap-2 whitespace-nowrap rounded-md border bg-ground px-2.5 hover:border-ink-3"
      >
        <Server size={14} aria-hidden="true" className="shrink-0 text-ink-2 max-sm:hidden" />
        <span className="sr-only">Cluster</span>
        <span className="truncate font-medium">{current?.title ?? title}</span>
        <StatusMark status={look.status} word={look.word} className="shrink-0" />
        <ChevronDown size={14} aria-hidden="true" className="shrink-0 text-ink-3" />
      </button>
      {wasOpened && <SwitchClusterDialog clusters={clusters} open={open} onClose={() => setOpen(false)} />}
    </>
  );
}
