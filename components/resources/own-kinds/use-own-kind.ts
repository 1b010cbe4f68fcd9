'use client';

import { useMemo } from 'react';
import { useTopicWithin } from '@/components/shell/use-topic-within';
import type { KindSummary } from '@/lib/kube/kinds';
import { formatApiVersion } from '@/lib/kube/object';
import type { OperatorOfKind } from '@/lib/kudo/own-kinds/operator-form';
import { pickVersion } from '@/lib/kudo/own-kinds/pick-version';
import { ownKindOf } from '@/lib/kudo/own-kinds/stored-api';
import type { OperatorVersion } from '@/lib/kudo/types';
import { topics } from '@/lib/live/topic';

/** The operator behind a kind in a namespace. */
export interface OwnKindView {
  /** False until the OperatorVersions of the namespace are known. */
  readonly isKnown: boolean;
  readonly namespace: string;
  /** The name of the operator; undefined when nothing says it. */
  readonly operator: string | undefined;
  /** In the version that a new Instance has; undefined when it is not installed in the namespace. */
  readonly behind: OperatorOfKind | undefined;
}

type NamedKind = Pick<KindSummary, 'group' | 'version' | 'kind' | 'operator'>;

/** @param chosen the namespace; without one, the first in which the operator is installed */
export function useOwnKind(kind: NamedKind, chosen: string | undefined): OwnKindView {
  const { objects, status } = useTopicWithin(topics.operatorVersions, chosen);
  return useMemo(() => {
    const all = objects as readonly OperatorVersion[];
    const bringing = all.filter((each) => ownKindOf(each, kind) !== undefined);
    const operator = kind.operator ?? bringing[0]?.spec?.operator?.name;
    const places = bringing.map(({ metadata }) => metadata.namespace ?? '').sort();
    const namespace = chosen ?? places[0] ?? 'default';
    const behind = operator === undefined ? undefined : operatorBehind(kind, operator, namespace, all);
    return { isKnown: status !== 'loading', namespace, operator, behind };
  }, [objects, status, kind, chosen]);
}

function operatorBehind(
  kind: NamedKind,
  operator: string,
  namespace: string,
  all: readonly OperatorVersion[],
): OperatorOfKind | undefined {
  const installed = all.filter(({ metadata }) => metadata.namespace === namespace);
  const apiVersion = formatApiVersion(kind.group, kind.version);
  const resource = { apiVersion, kind: kind.kind, metadata: { namespace } };
  const picked = pickVersion({ resource, operator, kind, installed });
  const operatorVersion = 'operatorVersion' in picked ? picked.operatorVersion : undefined;
  const own = ownKindOf(operatorVersion, kind);
  return operatorVersion === undefined || own === undefined ? undefined : { kind: own, operatorVersion };
}
