'use client';

import dynamic from 'next/dynamic';
import { useConnection } from '@/components/live/use-connection';
import { useObject } from '@/components/live/use-topic';
import { classNames } from '@/components/ui/class-names';
import { loadPart } from '@/components/ui/load-part';
import { StatusIcon } from '@/components/ui/status-icon';
import { useNow } from '@/components/ui/use-now';
import type { ControllerWord } from '@/lib/live/frames';
import { controllerMessage, type LeaseKnowledge, leaseKnowledge } from './controller-words';

const StartController = dynamic(
  () => loadPart(() => import('./controller-offer')).then((module) => module.StartController),
  {
    ssr: false,
  },
);

const LEASE = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespace: 'default' };
const LEASE_NAME = 'bravo-controller';

/** Who controls the cluster instead of this console, as the lease says. */
export function LeaseLine({ state }: { state: ControllerWord }) {
  const lease = useLeaseKnowledge();
  const message = lease === undefined ? undefined : controllerMessage(state, lease);
  if (message === undefined) return null;
  return (
    <div
      role="status"
      data-controller={state}
      className={classNames(
        'flex flex-wrap items-center gap-x-2 gap-y-1 border-b px-4 py-2 md:px-6',
        message.tone === 'wait' ? 'bg-wait-soft text-wait' : 'bg-sunken text-ink-2',
      )}
    >
      <StatusIcon shape={message.tone === 'wait' ? 'hourglass' : 'hollow'} />
      <span className="font-medium">{message.title}</span>
      <span className="min-w-0 text-ink-2">{message.detail}</span>
      {state === 'off' && lease?.kind === 'free' && (
        <span className="text-ink md:ms-auto">
          <StartController />
        </span>
      )}
    </div>
  );
}

/** Undefined until the first answer. What was known before the page lost its connection is not known any more. */
function useLeaseKnowledge(): LeaseKnowledge | undefined {
  const nowMs = useNow(5_000);
  const { status: streamStatus } = useConnection();
  const { status, object, staleSinceMs } = useObject(LEASE, LEASE.namespace, LEASE_NAME);
  if (status === 'loading') return undefined;
  if (streamStatus === 'lost' || staleSinceMs !== undefined) return { kind: 'unknown', why: 'not live' };
  if (status === 'forbidden' || status === 'failed') return { kind: 'unknown', why: status };
  return leaseKnowledge(object, nowMs);
}
