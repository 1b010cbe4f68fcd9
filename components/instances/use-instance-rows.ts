'use client';

import { useMemo, useRef } from 'react';
import { useNamespaceScope } from '@/components/shell/preferences';
import { useTopicInScope } from '@/components/shell/use-topic-within';
import type { KubeObject } from '@/lib/kube/object';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { type InstanceRow, instanceRow } from '@/lib/kudo/view/instance-row';
import { liveKey } from '@/lib/live/frames';
import { topics } from '@/lib/live/topic';
import type { TopicView } from '@/lib/live/view';

export interface InstanceRows {
  readonly rows: readonly InstanceRow[];
  readonly view: TopicView;
  /** The number of Instances in the scope; undefined while only the first are loaded. */
  readonly total: number | undefined;
}

/** All Instances of the chosen scope as rows, live. A row keeps its identity until its Instance or a version changes. */
export function useInstanceRows(): InstanceRows {
  const view = useTopicInScope(topics.instanceRows);
  const versionView = useTopicInScope(topics.versionRows);
  const scope = useNamespaceScope();
  const made = useRef<{ versions: readonly KubeObject[]; rows: WeakMap<KubeObject, InstanceRow> }>(undefined);
  const rows = useMemo(() => {
    if (made.current?.versions !== versionView.objects) {
      made.current = { versions: versionView.objects, rows: new WeakMap() };
    }
    const known = made.current.rows;
    const versions = new Map(versionView.objects.map((object) => [liveKey(object), object as OperatorVersion]));
    return view.objects
      .filter((object) => scope === undefined || object.metadata.namespace === scope)
      .map((object) => {
        const row = known.get(object) ?? instanceRow(object as Instance, versions, versionView.status === 'ready');
        known.set(object, row);
        return row;
      });
  }, [view.objects, versionView.objects, versionView.status, scope]);
  const total = view.total === undefined ? rows.length : scope === undefined ? view.total : undefined;
  return { rows, view, total };
}
