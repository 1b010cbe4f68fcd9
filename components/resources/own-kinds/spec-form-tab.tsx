'use client';

import { useMemo, useState } from 'react';
import { useAccess } from '@/components/access/use-access';
import { useObject } from '@/components/live/use-topic';
import {
  type DraftChange,
  draftChanges,
  draftProblems,
  fixText,
  type ParameterDraft,
} from '@/components/parameters/parameter-draft';
import { ParameterForm } from '@/components/parameters/parameter-form';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { type JsonObject, objectAt } from '@/lib/json/json';
import { accessTo } from '@/lib/kube/access';
import { type KubeObject, nameOf, parseApiVersion } from '@/lib/kube/object';
import { applyMergePatch } from '@/lib/kube/patch/merge-patch';
import type { ManifestChange } from '@/lib/kudo/commands/change-texts';
import { operatorForm } from '@/lib/kudo/own-kinds/operator-form';
import { resourceSpecPatch } from '@/lib/kudo/own-kinds/spec-form';
import { problemsAtFields } from '@/lib/kudo/own-kinds/spec-problems';
import type { FormField } from '@/lib/kudo/view/form-model';
import type { JsonSchema } from '@/lib/schema/json-schema';
import type { ObjectAddress } from '../object-draft';
import { ToolNotice } from '../ownership/tool-notice';
import { useLastState } from '../use-last-state';
import { useSchemas } from '../use-schemas';
import { useOwnKind } from './use-own-kind';
import { useSaveSpec } from './use-save-spec';

/** The spec of a resource as a form, from the schema of its kind. */
export function SpecFormTab({ address }: { address: ObjectAddress }) {
  const { type, namespace, name } = address;
  const object = useLastState(useObject({ ...type, namespace: namespace || undefined }, namespace, name).object);
  const schemaOf = useSchemas(object === undefined ? [] : [object.apiVersion]);
  const schema = object === undefined ? undefined : schemaOf(object.apiVersion, object.kind)?.properties?.spec;
  if (object === undefined) return null;
  if (schema === undefined) {
    return (
      <section className="card">
        <EmptyState title="The schema of this kind is not known">The spec can be edited as YAML.</EmptyState>
      </section>
    );
  }
  return <SpecEditor address={address} object={object} schema={schema} />;
}

function SpecEditor({ address, object, schema }: { address: ObjectAddress; object: KubeObject; schema: JsonSchema }) {
  const [draft, setDraft] = useState<ParameterDraft>({});
  const { block } = useAccess(accessTo('patch', address.type, address.namespace));
  const kind = useMemo(
    () => ({ ...parseApiVersion(object.apiVersion), kind: object.kind }),
    [object.apiVersion, object.kind],
  );
  const { behind } = useOwnKind(kind, address.namespace);
  const { groups, others } = operatorForm(schema, objectAt(object, 'spec'), behind);
  const fields = groups.flatMap((group) => group.fields);
  const changes = draftChanges(groups, draft);
  const save = useSaveSpec(address, object, () => setDraft({}));
  // What the API server refused stays at its field until that is edited.
  const refused = problemsAtFields(save.causes, fields);
  const problems = new Map([...refused.byField, ...draftProblems(groups, draft)]);
  const count = changes.length === 1 ? '1 change' : `${changes.length} changes`;
  return (
    <div className="grid gap-3 pb-2">
      <ParameterForm
        groups={groups}
        draft={draft}
        problems={problems}
        onChange={(field, value) => {
          save.reset();
          const { [field]: _, ...rest } = draft;
          setDraft(value === undefined ? rest : { ...rest, [field]: value });
        }}
      />
      {others.length > 0 && (
        <p className="px-4 text-ink-2">The YAML has more fields: {others.map((path) => `spec.${path}`).join(', ')}.</p>
      )}
      {save.error !== null && (
        <Notice tone="fail" title="The changes were not saved" alert>
          {refused.byField.size > 0 && refused.others.length === 0
            ? 'See the fields that are marked.'
            : save.error.message}
        </Notice>
      )}
      {changes.length > 0 && (
        <ToolNotice
          object={object}
          fields={changes.map(({ field }) => ['spec', ...field.name.split('.')])}
          change={specChange(address, object, fields, changes)}
        />
      )}
      {changes.length > 0 && (
        <div className="flex items-center justify-end gap-2">
          <span className="me-auto text-ink-2">{count}</span>
          <Button variant="quiet" onClick={() => setDraft({})}>
            Discard
          </Button>
          <Button
            variant="primary"
            busy={save.isPending}
            disabledReason={block ?? fixText(problems, fields)}
            onClick={() => save.mutate({ fields, changes })}
          >
            Save
          </Button>
        </div>
      )}
    </div>
  );
}

function specChange(
  { type }: ObjectAddress,
  object: KubeObject,
  fields: readonly FormField[],
  changes: readonly DraftChange[],
): ManifestChange {
  const spec = resourceSpecPatch(fields, new Map(changes.map(({ field, to }) => [field.name, to])));
  const after = applyMergePatch(object as JsonObject, { spec }) as KubeObject;
  return { type, before: object, after, title: `Change ${object.kind} ${nameOf(object)}` };
}
