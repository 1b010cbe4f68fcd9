'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useAccess } from '@/components/access/use-access';
import { RequestError, request } from '@/components/live/request';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { showToast } from '@/components/ui/toast';
import { systemClock } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import { accessTo } from '@/lib/kube/access';
import { topics } from '@/lib/live/topic';

const CONTROLLER_STARTS_WITHIN_MS = 2_000;

/** Says that the cluster does not know KUDO's kinds yet, and installs them when a person says so. */
export function CrdsMissing() {
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const router = useRouter();
  const { block } = useAccess(accessTo('create', topics.crds));
  const install = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      await request('/api/packages/crds', { method: 'POST', body: {} });
      setIsAsking(false);
      showToast({ tone: 'ok', title: 'The cluster knows operators now' });
      // The controller may start now; the cluster's chip is drawn by the server.
      systemClock.after(CONTROLLER_STARTS_WITHIN_MS, () => router.refresh());
    } catch (cause) {
      setError(cause instanceof RequestError ? cause.message : messageOf(cause));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <div>
      <Notice
        tone="wait"
        title="This cluster does not know operators yet"
        className="mb-4"
        action={
          <Button disabledReason={block} onClick={() => setIsAsking(true)}>
            Install the definitions…
          </Button>
        }
      >
        Three CustomResourceDefinitions are missing. Nothing is written to the cluster before you say so.
      </Notice>
      <Dialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title="Install three definitions in this cluster?"
        footer={
          <>
            <Button onClick={() => setIsAsking(false)}>Cancel</Button>
            <Button variant="primary" busy={isBusy} onClick={() => void install()}>
              Install definitions
            </Button>
          </>
        }
      >
        <p>These CustomResourceDefinitions are created, cluster-wide:</p>
        <ul className="my-2 list-disc ps-5">
          {['operators', 'operatorversions', 'instances'].map((plural) => (
            <li key={plural}>
              <code>{plural}.kudo.dev</code>
            </li>
          ))}
        </ul>
        <p className="text-ink-2">
          Your kubeconfig's user needs the right to create them. Where the settings allow it, Bravo's controller starts
          afterwards. Deleting the definitions takes all of it away again.
        </p>
        {error !== undefined && (
          <Notice tone="fail" alert title="Not installed" className="mt-3">
            {error}
          </Notice>
        )}
      </Dialog>
    </div>
  );
}
