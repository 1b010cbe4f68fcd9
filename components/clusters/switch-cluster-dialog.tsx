'use client';

import { type KeyboardEvent, useId, useState } from 'react';
import { openInCluster } from '@/components/live/address';
import { classNames } from '@/components/ui/class-names';
import { Dialog } from '@/components/ui/dialog';
import { Link } from '@/components/ui/link';
import { usePathname } from '@/components/ui/navigation';
import { StatusText } from '@/components/ui/status';
import type { ClusterInfo } from '@/lib/clusters/cluster-info';
import { sectionOf } from '@/lib/clusters/cluster-path';
import { clusterStateWords } from '@/lib/clusters/state-words';
import { addressName, useIsCurrent } from './use-clusters';

interface SwitchProps {
  clusters: readonly ClusterInfo[];
  onClose: () => void;
}

/** The list of clusters, to go to the same page of another one. */
export function SwitchClusterDialog({ open, ...list }: SwitchProps & { open: boolean }) {
  return (
    <Dialog open={open} onClose={list.onClose} title="Switch cluster">
      <SwitchList {...list} />
    </Dialog>
  );
}

function SwitchList({ clusters, onClose }: SwitchProps) {
  const listId = useId();
  const path = usePathname();
  const isCurrent = useIsCurrent();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(() => Math.max(0, clusters.findIndex(isCurrent)));
  const found = clusters.filter(({ name, title }) => `${title} ${name}`.toLowerCase().includes(query.toLowerCase()));
  const go = (cluster: ClusterInfo | undefined) => {
    if (cluster === undefined) return;
    onClose();
    // Another cluster is another page load: nothing that this page has read can be shown as that cluster's.
    if (!isCurrent(cluster)) openInCluster(addressName(cluster), sectionOf(path));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
    else if (event.key === 'Enter') go(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <div className="grid gap-3">
      <input
        data-first-focus=""
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found[at] === undefined ? undefined : `${listId}-${at}`}
        aria-label="Find a cluster"
        placeholder="Find a cluster"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        className="control"
      />
      <div id={listId} role="listbox" aria-label="Clusters" className="grid gap-0.5">
        {found.map((cluster, index) => (
          <SwitchOption
            key={cluster.name}
            id={`${listId}-${index}`}
            cluster={cluster}
            isMarked={index === at}
            isCurrent={isCurrent(cluster)}
            onChoose={() => go(cluster)}
            onPoint={() => setAt(index)}
          />
        ))}
      </div>
      {found.length === 0 && <p className="py-4 text-center text-ink-2">No cluster matches.</p>}
      <p className="flex flex-wrap gap-x-4 border-t pt-3">
        <Link href="/instances?clusters=all" className="link text-accent" onClick={onClose}>
          Instances of all clusters
        </Link>
        <Link href="/clusters" className="link text-accent" onClick={onClose}>
          Manage clusters
        </Link>
      </p>
    </div>
  );
}

interface OptionProps {
  id: string;
  cluster: ClusterInfo;
  isMarked: boolean;
  isCurrent: boolean;
  onChoose: () => void;
  onPoint: () => void;
}

function SwitchOption({ id, cluster, isMarked, isCurrent, onChoose, onPoint }: OptionProps) {
  const { status, word } = clusterStateWords[cluster.state];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the combobox
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isMarked}
      onClick={onChoose}
      onPointerMove={onPoint}
      className="min-h-9 cursor-pointer rounded-md px-3 py-1.5 aria-selected:bg-accent-soft"
    >
      <span className="flex items-center gap-3">
        <span className={classNames('min-w-0 truncate', isCurrent ? 'font-semibold' : 'font-medium')}>
          {cluster.title}
          {isCurrent && <span className="font-normal text-ink-2"> (this page)</span>}
        </span>
        <StatusText status={status} word={word} className="ms-auto shrink-0 text-xs" />
      </span>
      {cluster.problem !== undefined && <span className="block text-ink-2 text-xs">{cluster.problem}</span>}
    </div>
  );
}
