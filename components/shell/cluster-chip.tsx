import { Server } from 'lucide-react';
import { classNames } from '@/components/ui/class-names';
import type { ControllerWord } from '@/lib/live/frames';

/** What the chip and the pages say of the cluster. */
export interface ShellCluster {
  readonly name: string;
  readonly context: string;
  readonly server: string;
  readonly user: string;
  readonly isSandbox: boolean;
  readonly controller: ControllerWord;
}

const controllerWords: { readonly [state in ShellCluster['controller']]: string } = {
  running: 'controller running',
  standby: 'controller is waiting for its lease',
  forbidden: 'controller may not use its lease',
  yields: "controller is waiting for KUDO's manager to stop",
  off: 'no controller in this console',
  failed: 'controller failed',
};

/** Which cluster this is; everything else about it is in the title. */
export function ClusterChip({ cluster }: { cluster: ShellCluster }) {
  const name = cluster.isSandbox ? 'sandbox' : cluster.context;
  // Another controller may run the plans, as usual in a cluster; the line below says when none does.
  const tone = cluster.controller === 'off' ? 'text-ink-3' : 'text-wait';
  const trouble = ['failed', 'off', 'forbidden'].includes(cluster.controller);
  return (
    <span
      title={`Context ${cluster.context}, ${cluster.server}, as ${cluster.user}; ${controllerWords[cluster.controller]}`}
      className="inline-flex h-8 min-w-0 items-center gap-2 whitespace-nowrap rounded-md border bg-ground px-2.5"
    >
      <Server size={14} aria-hidden="true" className="shrink-0 text-ink-2" />
      <span className="truncate font-medium">{name}</span>
      {trouble && (
        <span className={classNames('hidden text-2xs lg:inline', tone)}>{controllerWords[cluster.controller]}</span>
      )}
    </span>
  );
}
