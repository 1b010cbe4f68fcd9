'use client';

import { useQuery } from '@tanstack/react-query';
import { useObject, useTopic } from '@/components/live/use-topic';
import type { KubeObject } from '@/lib/kube/object';
import { reversalByAutoscaler, reversalByController } from '@/lib/kube/ownership/controller-reversal';
import { ownerAddress, type Reversal, reversalBy } from '@/lib/kube/ownership/revert';
import type { FieldPath } from '@/lib/kube/ownership/set-fields';
import { type ToolOwner, toolOwners } from '@/lib/kube/ownership/tool-owner';
import { reversalByInstance } from '@/lib/kudo/self-heal/reversal';
import { useManager } from '../managed/use-manager';
import { type ObjectAddress, readStoredObject } from '../object-draft';
import { isMaskedKind } from '../secret-mask';

/** A tool that manages an object, and its Application, Kustomization or HelmRelease where the person may read that. */
export interface KnownOwner {
  readonly tool: ToolOwner;
  readonly source: KubeObject | undefined;
}

/** The tools that manage an object, at most two: Argo CD may install what Flux or Helm made. */
export function useToolOwners(object: KubeObject | undefined): readonly KnownOwner[] {
  const [first, second] = object === undefined ? [] : toolOwners(object);
  const firstSource = useSource(first);
  const secondSource = useSource(second);
  return [
    ...(first === undefined ? [] : [{ tool: first, source: firstSource }]),
    ...(second === undefined ? [] : [{ tool: second, source: secondSource }]),
  ];
}

function useSource(owner: ToolOwner | undefined): KubeObject | undefined {
  const address = owner === undefined ? undefined : ownerAddress(owner);
  const topic = address?.namespace === '' ? undefined : address;
  return useObject(topic, topic?.namespace ?? '', topic?.name ?? '').object;
}

/** A change that a person is about to make. */
interface IntendedChange {
  readonly object: KubeObject;
  readonly address: ObjectAddress;
  /** The fields that it sets. */
  readonly fields: readonly FieldPath[];
  /** The new number of replicas, when it changes that. */
  readonly replicas?: number | undefined;
}

/** What manages an object and becomes of a change of it: its controller, an autoscaler, an Instance, and tools outside. */
export function useReversals({ object, address, fields, replicas }: IntendedChange): {
  readonly reversals: readonly Reversal[];
  readonly owners: readonly KnownOwner[];
  /** The object as it is stored; as the event stream shows it where that is enough, or it cannot be read. */
  readonly stored: KubeObject;
} {
  const stored = useStored(object, address);
  const owners = useToolOwners(object);
  const manager = useManager(object);
  const hpas = {
    group: 'autoscaling',
    version: 'v2',
    resource: 'horizontalpodautoscalers',
    namespace: address.namespace,
  };
  const autoscalers = useTopic(replicas === undefined || address.namespace === '' ? undefined : hpas);
  if (fields.length === 0) return { reversals: [], owners, stored };
  const found = [
    reversalByController(stored),
    replicas === undefined ? undefined : reversalByAutoscaler(object, autoscalers.objects, replicas),
    manager === undefined ? undefined : reversalByInstance(manager, stored, fields),
    ...owners.map(({ tool, source }) => reversalBy(tool, source, { object: stored, fields })),
  ];
  return { reversals: found.filter((each) => each !== undefined), owners, stored };
}

/** The event stream leaves out who set which field. */
function useStored(object: KubeObject, address: ObjectAddress): KubeObject {
  const { data } = useQuery({
    enabled: !isMaskedKind(address.type),
    queryKey: ['stored-object', object.metadata.uid, object.metadata.resourceVersion],
    queryFn: () => readStoredObject(address),
  });
  return data ?? object;
}
