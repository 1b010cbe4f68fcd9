'use client';

import { useQuery } from '@tanstack/react-query';
import { useRights } from '@/components/access/use-access';
import { request } from '@/components/live/request';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { accessTo } from '@/lib/kube/access';
import { type Capacity, type CapacityShare, shareState } from '@/lib/kube/capacity';
import { bytesText } from '@/lib/kudo/view/bytes-text';

const FRESH_MS = 60_000;
const RIGHTS = [
  accessTo('list', { group: '', resource: 'nodes' }),
  accessTo('list', { group: '', resource: 'pods' }),
] as const;

/** What the pods request of what the Nodes have. Nothing for people who may not list both in the whole cluster. */
export function CapacityCard() {
  const isAllowed = !useRights(RIGHTS).includes(false);
  const { data } = useQuery({
    queryKey: ['capacity'],
    queryFn: ({ signal }) => request<{ capacity?: Capacity }>('/api/capacity', { signal }),
    enabled: isAllowed,
    staleTime: FRESH_MS,
    retry: false,
  });
  if (!isAllowed || data === undefined) return null;
  const { capacity } = data;
  if (capacity?.nodes === 0) return null;
  return (
    <Card
      title="Capacity"
      note={capacity !== undefined && noteOf(capacity)}
      action={
        <Link href="/resources/core/v1/nodes" className="link">
          Nodes
        </Link>
      }
      padded
    >
      {capacity === undefined ? (
        <p className="text-ink-2">This cluster has too many pods to add up their requests here.</p>
      ) : (
        <div className="grid gap-3">
          <Share label="CPU requests" share={capacity.cpu} words={cores} />
          <Share label="Memory requests" share={capacity.memory} words={bytesText} />
          <Share label="Pods" share={capacity.pods} words={String} />
        </div>
      )}
    </Card>
  );
}

const TONES = { ok: 'bg-accent', nearly: 'bg-wait', over: 'bg-fail' } as const;
const WORDS = { ok: '', nearly: ', nearly full', over: ', more than there is' } as const;

function Share({ label, share, words }: { label: string; share: CapacityShare; words: (value: number) => string }) {
  const { requested, allocatable } = share;
  const state = shareState(share);
  const percent = allocatable === 0 ? 0 : Math.round((requested / allocatable) * 100);
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap justify-between gap-x-3">
        <span className="font-medium">{label}</span>
        <span className="text-ink-2 tabular-nums">
          {words(requested)} of {words(allocatable)} ({percent} %{WORDS[state]})
        </span>
      </p>
      <span aria-hidden="true" className="h-1.5 overflow-hidden rounded-full border border-line-strong bg-sunken">
        <span className={`state-cell block h-full ${TONES[state]}`} style={{ width: `${Math.min(100, percent)}%` }} />
      </span>
    </div>
  );
}

function cores(value: number): string {
  const rounded = value >= 10 ? Math.round(value) : Math.round(value * 100) / 100;
  return `${rounded} ${rounded === 1 ? 'core' : 'cores'}`;
}

function noteOf({ nodes, notReady, cordoned }: Capacity): string {
  const parts = [`${nodes} ${nodes === 1 ? 'Node' : 'Nodes'}`];
  if (notReady > 0) parts.push(`${notReady} not ready`);
  if (cordoned > 0) parts.push(`${cordoned} cordoned`);
  return parts.join(' · ');
}
