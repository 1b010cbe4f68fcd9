import { useMemo } from 'react';
import { useObject } from '@/components/live/use-topic';
import { operatorVersionKey } from '@/lib/kudo/names';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { type InstanceRow, instanceRow } from '@/lib/kudo/view/instance-row';
import { topics } from '@/lib/live/topic';

/** The Instance that a schedule names, with its OperatorVersion; undefined without a name, and while it is not known. */
export function useScheduleTarget(namespace: string, name: string): InstanceRow | undefined {
  const { object } = useObject(name === '' ? undefined : topics.instances, namespace, name);
  const instance = object as Instance | undefined;
  const version = instance === undefined ? { namespace: '', name: '' } : operatorVersionKey(instance);
  const isNamed = version.name !== '';
  const { object: known, status } = useObject(
    isNamed ? topics.operatorVersions : undefined,
    version.namespace,
    version.name,
  );
  return useMemo(() => {
    if (instance === undefined) return undefined;
    const key = operatorVersionKey(instance);
    const byKey = new Map(known === undefined ? [] : [[`${key.namespace}/${key.name}`, known as OperatorVersion]]);
    return instanceRow(instance, byKey, status === 'ready');
  }, [instance, known, status]);
}
