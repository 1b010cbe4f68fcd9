'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccess } from '@/components/access/use-access';
import { request } from '@/components/live/request';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import { showToast } from '@/components/ui/toast';
import { messageOf } from '@/lib/errors/errors';
import { accessTo } from '@/lib/kube/access';
import type { ControllerOffer } from '@/lib/kudo/installation/controller-offer';

const LEASES = { group: 'coordination.k8s.io', resource: 'leases' };

/** Whether a controller may be started beside this console, and what it writes; undefined until the server has answered. */
export function useControllerOffer(isAsked: boolean): ControllerOffer | undefined {
  const { data } = useQuery({
    enabled: isAsked,
    queryKey: ['controller-offer'],
    queryFn: ({ signal }) => request<ControllerOffer>('/api/controller', { signal }),
  });
  return data;
}

/** Everything that a controller beside the console writes to the cluster, object by object. */
export function ControllerWrites({ offer }: { offer: ControllerOffer | undefined }) {
  if (offer === undefined) return <SkeletonRows />;
  return (
    <>
      <ul aria-label="What the controller writes" className="my-2 grid gap-2">
        {offer.writes.map(({ kind, name, namespace, purpose }) => (
          <li key={kind} className="rounded-md border px-3 py-2">
            <p className="break-words">
              {kind} <code>{name}</code>
              {namespace === '' ? ', cluster-scoped' : ` in namespace ${namespace}`}
            </p>
            <p className="text-ink-2">{purpose}</p>
          </li>
        ))}
      </ul>
      <p className="text-ink-2">
        When an Instance is installed or changed, the controller also writes the status of the Instance, Events, the
        Secret <code>‹instance›.bravo-objects</code>, and the objects of its plans.
      </p>
    </>
  );
}

/** Asks before a controller is started beside this console, and starts it. */
export function StartController() {
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const offer = useControllerOffer(isAsking);
  const { block } = useAccess(accessTo('create', LEASES, 'default'));
  const start = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      await request('/api/controller', { method: 'POST', body: {} });
      setIsAsking(false);
      showToast({ tone: 'run', title: 'The controller is starting', detail: 'It runs until this console stops.' });
    } catch (cause) {
      setError(messageOf(cause));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <>
      <Button size="small" disabledReason={block} onClick={() => setIsAsking(true)}>
        Run the controller here…
      </Button>
      <Dialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title="Run the controller in this console?"
        footer={
          <>
            <Button onClick={() => setIsAsking(false)}>Cancel</Button>
            <Button variant="primary" busy={isBusy} disabledReason={offReason(offer)} onClick={() => void start()}>
              Run the controller
            </Button>
          </>
        }
      >
        <p>It runs the plans of this cluster while this console runs. With your permissions it writes:</p>
        <ControllerWrites offer={offer} />
        {error !== undefined && (
          <Notice tone="fail" alert title="The controller was not started" className="mt-3">
            {error}
          </Notice>
        )}
      </Dialog>
    </>
  );
}

function offReason(offer: ControllerOffer | undefined): string | undefined {
  if (offer?.setting === 'signed-in') {
    return 'A controller has the permissions of the console, not yours. Ask who runs this console to start it with BRAVO_CONTROLLER=on.';
  }
  if (offer?.setting !== 'off') return undefined;
  return 'This console was started with BRAVO_CONTROLLER=off. Start it without that setting.';
}
