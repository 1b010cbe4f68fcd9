'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import { TypedName } from '@/components/ui/typed-name';
import { useDestroyGuard } from '@/components/ui/use-destroy-guard';
import type { KubeObject } from '@/lib/kube/object';
import { type DrainedPod, type DrainLoss, drainLosses } from '@/lib/kube/workloads/drain';
import type { ObjectAddress } from '../object-draft';
import { ReversalList } from '../ownership/reversal-list';
import { useReversals } from '../ownership/use-reversals';
import { DrainPods } from './drain-pods';
import { type Drain, useDrain } from './use-drain';

interface DrainDialogProps {
  readonly address: ObjectAddress;
  readonly object: KubeObject;
  readonly onClose: () => void;
}

const CORDON_FIELDS = [['spec', 'unschedulable']] as const;

/** Shows what a drain of a Node moves, keeps and loses, asks for what is lost, and shows how it goes on. */
export function DrainDialog({ address, object, onClose }: DrainDialogProps) {
  const drain = useDrain(object);
  const [confirmed, setConfirmed] = useState<readonly DrainLoss[]>([]);
  const { reversals } = useReversals({ object, address, fields: CORDON_FIELDS });
  const guard = useDestroyGuard(address.name, confirmed.length > 0);
  const mayEvict = (pod: DrainedPod) => pod.losses.every((loss) => confirmed.includes(loss));
  const losses = drainLosses(drain.pods ?? []);
  const isAsked = drain.state === 'asked';
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`Drain Node ${address.name}?`}
      footer={
        <DrainButtons
          drain={drain}
          block={drain.pods === undefined ? 'The pods of the Node are not known yet.' : guard.block}
          isDestructive={confirmed.length > 0}
          onStart={() => drain.start(mayEvict)}
          onClose={onClose}
        />
      }
    >
      <div className="grid gap-4">
        <DrainState drain={drain} name={address.name} />
        {isAsked && reversals.length > 0 && <ReversalList reversals={reversals} what="this Node" />}
        {drain.pods === undefined ? (
          drain.problem === undefined && <SkeletonRows rows={4} />
        ) : (
          <DrainPods pods={drain.pods} refused={drain.progress?.refused} mayEvict={mayEvict} />
        )}
        {isAsked &&
          losses.map((loss) => (
            <LossBox
              key={loss}
              loss={loss}
              pods={(drain.pods ?? []).filter((pod) => pod.losses.includes(loss))}
              isConfirmed={confirmed.includes(loss)}
              onChange={(isOn) => setConfirmed(isOn ? [...confirmed, loss] : confirmed.filter((each) => each !== loss))}
            />
          ))}
        {isAsked && confirmed.length > 0 && <TypedName name={address.name} guard={guard} />}
      </div>
    </Dialog>
  );
}

function DrainState({ drain, name }: { drain: Drain; name: string }) {
  const gone = drain.progress?.gone.length ?? 0;
  const count = gone === 1 ? '1 pod was evicted' : `${gone} pods were evicted`;
  switch (drain.state) {
    case 'asked':
      return drain.problem === undefined ? (
        <p>
          No new pods are scheduled to the Node, and its pods are evicted one after another, as their disruption budgets
          allow. Controllers start others elsewhere, where there is room.
        </p>
      ) : (
        <Notice tone="fail" title="The pods of the Node cannot be read">
          {drain.problem}
        </Notice>
      );
    case 'running':
      return (
        <div role="status">
          <Notice tone="run" title={`Draining: ${count}`}>
            Closing this dialog stops the drain. Pods that are held are tried again.
          </Notice>
        </div>
      );
    case 'stopped':
      return (
        <Notice tone="hold" title={`The drain was stopped: ${count}`}>
          Node {name} stays cordoned. Uncordon it, or drain it again.
        </Notice>
      );
    case 'done':
      return (
        <div role="status">
          <Notice tone="ok" title={`Node ${name} is drained: ${count}`}>
            The Node stays cordoned until you uncordon it.
          </Notice>
        </div>
      );
    case 'failed':
      return (
        <Notice tone="fail" alert title={`The drain failed: ${count}`}>
          {drain.problem}
        </Notice>
      );
  }
}

interface DrainButtonsProps {
  readonly drain: Drain;
  readonly block: string | undefined;
  readonly isDestructive: boolean;
  readonly onStart: () => void;
  readonly onClose: () => void;
}

function DrainButtons({ drain, block, isDestructive, onStart, onClose }: DrainButtonsProps) {
  if (drain.state === 'running') return <Button onClick={drain.stop}>Stop</Button>;
  const isOver = drain.state === 'done';
  return (
    <>
      <Button onClick={onClose}>{drain.state === 'asked' ? 'Cancel' : 'Close'}</Button>
      {!isOver && (
        <Button variant={isDestructive ? 'destroy' : 'primary'} disabledReason={block} onClick={onStart}>
          {drain.state === 'asked' ? 'Drain Node' : 'Continue'}
        </Button>
      )}
    </>
  );
}

const QUESTIONS: { readonly [loss in DrainLoss]: string } = {
  bare: 'Delete pods that no controller starts again',
  'local-data': 'Delete the data of emptyDir volumes',
};

interface LossBoxProps {
  readonly loss: DrainLoss;
  readonly pods: readonly DrainedPod[];
  readonly isConfirmed: boolean;
  readonly onChange: (isConfirmed: boolean) => void;
}

/** What is lost for good, by name. Without the tick these pods stay on the Node. */
function LossBox({ loss, pods, isConfirmed, onChange }: LossBoxProps) {
  return (
    <div className="rounded-md border px-4 py-3">
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-1"
          checked={isConfirmed}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span className="min-w-0">
          <span className="font-medium">{QUESTIONS[loss]}</span>
          <span className="block text-ink-2 text-xs">Without this, these pods stay on the Node.</span>
        </span>
      </label>
      <ul className="mt-2 grid gap-1 ps-6 text-xs">
        {pods.map((pod) => (
          <li key={pod.key} className="[overflow-wrap:anywhere]">
            <code>{pod.key}</code>
            {loss === 'local-data' && ` (volumes ${pod.volumes.join(', ')})`}
          </li>
        ))}
      </ul>
    </div>
  );
}
