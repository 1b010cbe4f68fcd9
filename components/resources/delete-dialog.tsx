'use client';

import { useState } from 'react';
import { RequestError, request } from '@/components/live/request';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { useRouter } from '@/components/ui/navigation';
import { Notice } from '@/components/ui/notice';
import { showToast } from '@/components/ui/toast';
import { TypedName } from '@/components/ui/typed-name';
import { useDestroyGuard } from '@/components/ui/use-destroy-guard';
import { messageOf } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { Consequences, useConsequences } from './delete-consequences';
import { ManagedBy } from './managed/managed-notice';
import { useManager } from './managed/use-manager';
import { type ObjectAddress, objectPath } from './object-draft';
import { ProblemNotice } from './problem-notice';
import { kindHref } from './resource-path';
import type { SaveProblem } from './use-object-draft';

interface DeleteDialogProps {
  readonly address: ObjectAddress;
  readonly object: KubeObject;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks for the object's name, says what else is deleted, deletes. */
export function DeleteDialog(props: DeleteDialogProps) {
  return (
    <Dialog open={props.open} onClose={props.onClose} title={`Delete ${props.object.kind} ${props.address.name}?`}>
      <DeleteForm {...props} />
    </Dialog>
  );
}

function DeleteForm({ address, object, onClose }: DeleteDialogProps) {
  const router = useRouter();
  const consequences = useConsequences(address, object);
  const manager = useManager(object);
  const guard = useDestroyGuard(address.name);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<SaveProblem>();
  const destroy = async () => {
    setIsBusy(true);
    try {
      await request(`${objectPath(address)}`, {
        method: 'DELETE',
        body: {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          propagationPolicy: 'Background',
          preconditions: { uid: object.metadata.uid },
        },
      });
      showToast({ tone: 'run', title: `Deleting ${object.kind} ${address.name}` });
      onClose();
      router.push(kindHref(address.type));
    } catch (error) {
      setProblem({ message: messageOf(error), causes: error instanceof RequestError ? error.causes : [] });
      setIsBusy(false);
    }
  };
  const reason = guard.block ?? consequences.wait;
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === undefined) void destroy();
      }}
    >
      <Consequences consequences={consequences} />
      {manager?.selfHeal === 'on' && (
        <Notice tone="wait" title={<ManagedBy manager={manager} what="this object" />}>
          Its self-heal creates the object again within seconds. Pause self-heal on the YAML page of the object first.
        </Notice>
      )}
      <TypedName name={address.name} guard={guard} />
      {problem !== undefined && <ProblemNotice title="Not deleted" problem={problem} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="destroy" busy={isBusy} disabledReason={reason}>
          Delete {object.kind}
        </Button>
      </div>
    </form>
  );
}
