'use client';

import type { KubeObject } from '@/lib/kube/object';
import { reversalBy } from '@/lib/kube/ownership/revert';
import type { FieldPath } from '@/lib/kube/ownership/set-fields';
import type { ManifestChange } from '@/lib/kudo/commands/change-texts';
import { ReversalList } from './reversal-list';
import { TakeElsewhere } from './take-elsewhere';
import { useToolOwners } from './use-reversals';

/** Warns beside an edit of an object that Argo CD, Flux or Helm manages, and gives the edit as text. Nothing for other objects. */
export function ToolNotice({
  object,
  fields,
  change,
}: {
  object: KubeObject;
  fields: readonly FieldPath[];
  /** What is exported; undefined while there is no change. */
  change: ManifestChange | undefined;
}) {
  const owners = useToolOwners(object);
  if (owners.length === 0) return null;
  return (
    <section aria-label="Managed elsewhere" className="grid justify-items-start gap-2">
      <div className="grid w-full gap-2">
        <ReversalList
          reversals={owners.map(({ tool, source }) => reversalBy(tool, source, { object, fields }))}
          what={`this ${object.kind}`}
        />
      </div>
      {change !== undefined && <TakeElsewhere change={change} owner={owners[0]} />}
    </section>
  );
}
