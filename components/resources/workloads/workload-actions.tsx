'use client';

import dynamic from 'next/dynamic';
import { useEffect } from 'react';
import { useBlocks } from '@/components/access/use-access';
import { useAsk } from '@/components/instances/use-ask';
import { useObject } from '@/components/live/use-topic';
import { Button } from '@/components/ui/button';
import { loadPart } from '@/components/ui/load-part';
import { resourceName } from '@/lib/kube/kinds';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { replicasPath, type WorkloadAction, workloadActions } from '@/lib/kube/workloads/actions';
import { topics } from '@/lib/live/topic';
import type { ObjectAddress } from '../object-draft';

const ActionDialog = dynamic(() => loadPart(() => import('./action-dialog')).then((module) => module.ActionDialog), {
  ssr: false,
});
const DrainDialog = dynamic(() => loadPart(() => import('./drain-dialog')).then((module) => module.DrainDialog), {
  ssr: false,
});

/** The buttons of a workload, of a Node, and of every kind that can be scaled. Each asks first, and says what becomes of the change. */
export function WorkloadActions({ address, object }: { address: ObjectAddress; object: KubeObject }) {
  const actions = useActions(address.type, object);
  const blocks = useBlocks(actions.map(({ right }) => right));
  const [asked, ask] = useAsk();
  // `scale:3`: with what the palette was given.
  const [wanted, argument] = asked?.split(':') ?? [];
  const chosen = actions.find(({ id }) => id === wanted);
  const at = chosen === undefined ? -1 : actions.indexOf(chosen);
  const block = chosen?.block ?? blocks[at];
  useEffect(() => {
    // The palette and links ask also for what the state or the rights do not allow (any more).
    if (asked !== undefined && chosen !== undefined && block !== undefined) ask(undefined);
  }, [asked, chosen, block, ask]);
  return (
    <>
      {actions.map((action, index) => (
        <Button key={action.id} disabledReason={action.block ?? blocks[index]} onClick={() => ask(action.id)}>
          {action.label}
        </Button>
      ))}
      {chosen !== undefined && block === undefined && (
        <DialogOf
          key={asked}
          action={chosen}
          argument={argument}
          address={address}
          object={object}
          onClose={() => ask(undefined)}
        />
      )}
    </>
  );
}

interface DialogOfProps {
  readonly action: WorkloadAction;
  readonly argument: string | undefined;
  readonly address: ObjectAddress;
  readonly object: KubeObject;
  readonly onClose: () => void;
}

function DialogOf({ action, argument, ...rest }: DialogOfProps) {
  if (action.id === 'drain') return <DrainDialog {...rest} />;
  return <ActionDialog {...rest} action={action} id={action.id} argument={argument} />;
}

/** The definition says whether a custom resource can be scaled. */
function useActions(type: GroupVersionResource, object: KubeObject): readonly WorkloadAction[] {
  const definition = useObject(type.group.includes('.') ? topics.crds : undefined, '', resourceName(type)).object;
  return workloadActions(object, type, replicasPath(type, definition));
}
