import { qualifiedNameProblems } from '@/lib/kube/label-syntax';
import type { KubeObject } from '@/lib/kube/object';
import type { StrategyContext } from '../strategy';

const STANDARD = ['orphan', 'foregroundDeletion', 'kubernetes'];
const WHY = 'to avoid accidental conflicts with other finalizer writers';

/** Tells of new finalizers of custom resources whose names others may use too (customresource validateKubeFinalizerName). */
export function warnOfFinalizers(object: KubeObject, old: KubeObject | undefined, warn: StrategyContext['warn']): void {
  const before = old?.metadata.finalizers ?? [];
  const added = new Set((object.metadata.finalizers ?? []).filter((name) => !before.includes(name)));
  for (const name of [...added].sort()) {
    const tell = (text: string) => warn?.(`metadata.finalizers: ${JSON.stringify(name)}: ${text}`);
    for (const problem of qualifiedNameProblems(name)) tell(problem);
    if (name.includes('/') || STANDARD.includes(name)) continue;
    const wish = name.includes('.')
      ? 'prefer a domain-qualified finalizer name including a path (/)'
      : 'prefer a domain-qualified finalizer name';
    tell(`${wish} ${WHY}`);
  }
}
