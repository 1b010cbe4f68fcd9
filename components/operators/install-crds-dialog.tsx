'use client';

import { useState } from 'react';
import { request } from '@/components/live/request';
import { ControllerWrites, useControllerOffer } from '@/components/shell/controller-offer';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { useRouter } from '@/components/ui/navigation';
import { Notice } from '@/components/ui/notice';
import { showToast } from '@/components/ui/toast';
import { systemClock } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import type { ControllerOffer } from '@/lib/kudo/installation/controller-offer';

const CONTROLLER_STARTS_WITHIN_MS = 2_000;
const CRDS = ['operators.kudo.dev', 'operatorversions.kudo.dev', 'instances.kudo.dev'];

/** Lists every object that is written, and writes nothing else: the CRDs, and what a controller writes if the person wants one here. */
export function InstallCrdsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [wantsController, setWantsController] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const router = useRouter();
  const offer = useControllerOffer(open);
  const install = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      await request('/api/packages/crds', { method: 'POST', body: { controller: wantsController } });
      onClose();
      showToast({ tone: 'ok', title: 'The CRDs are installed' });
      // The cluster's chip is drawn by the server.
      systemClock.after(CONTROLLER_STARTS_WITHIN_MS, () => router.refresh());
    } catch (cause) {
      setError(messageOf(cause));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Install Bravo's CRDs in this cluster?"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={isBusy} onClick={() => void install()}>
            Install CRDs
          </Button>
        </>
      }
    >
      <p>These cluster-scoped objects are created now, with your permissions:</p>
      <ul aria-label="What is created" className="my-2 list-disc ps-5">
        {CRDS.map((name) => (
          <li key={name}>
            CustomResourceDefinition <code>{name}</code>
          </li>
        ))}
      </ul>
      <ControllerChoice offer={offer} wanted={wantsController} onChange={setWantsController} />
      <p className="mt-3 text-ink-2">
        Deleting the CRDs later also deletes all Operators, OperatorVersions and Instances of the cluster.
      </p>
      {error !== undefined && (
        <Notice tone="fail" alert title="The CRDs were not installed" className="mt-3">
          {error}
        </Notice>
      )}
    </Dialog>
  );
}

/** Whether a controller runs beside this console afterwards: the person's choice, or what the settings say. */
function ControllerChoice({
  offer,
  wanted,
  onChange,
}: {
  offer: ControllerOffer | undefined;
  wanted: boolean;
  onChange: (wanted: boolean) => void;
}) {
  if (offer === undefined) return null;
  if (offer.setting === 'off') {
    return <p className="text-ink-2">This console runs no controller (BRAVO_CONTROLLER=off).</p>;
  }
  if (offer.state !== 'off') {
    return (
      <>
        <p>The controller of this console is started already. From then on it also writes:</p>
        <ControllerWrites offer={offer} />
      </>
    );
  }
  return (
    <>
      <label className="flex min-h-7 items-start gap-2.5">
        <input
          type="checkbox"
          className="mt-0.5 size-4 shrink-0 accent-accent"
          checked={wanted}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>
          Also run the controller in this console
          <span className="block text-ink-2">
            A controller runs the plans. Leave this off if one runs in the cluster, or will.
          </span>
        </span>
      </label>
      {wanted && (
        <>
          <p className="mt-2">With your permissions the controller also writes:</p>
          <ControllerWrites offer={offer} />
        </>
      )}
    </>
  );
}
