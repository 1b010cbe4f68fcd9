'use client';

import { useMemo, useState } from 'react';
import { freeInstanceName } from '@/components/install/install-draft';
import { useTakenNames } from '@/components/install/use-taken-names';
import { draftChanges, draftProblems, type ParameterDraft } from '@/components/parameters/parameter-draft';
import { useNamespaceScope } from '@/components/shell/preferences';
import type { KindSummary } from '@/lib/kube/kinds';
import { formatApiVersion, type KubeObject } from '@/lib/kube/object';
import { storageVersionOf } from '@/lib/kudo/own-kinds/names';
import { type OperatorOfKind, operatorForm } from '@/lib/kudo/own-kinds/operator-form';
import type { SpecForm } from '@/lib/kudo/own-kinds/spec-form';
import { type FieldCause, newSpec, problemsAtFields, schemaCauses } from '@/lib/kudo/own-kinds/spec-problems';
import type { FormField } from '@/lib/kudo/view/form-model';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { useSchemas } from '../use-schemas';
import { type OwnKindView, useOwnKind } from './use-own-kind';

/** What a person has entered. */
export interface ResourceDraft {
  readonly namespace: string;
  readonly name: string;
  readonly spec: ParameterDraft;
}

/** A new resource while its form is filled in. */
export interface NewResource {
  readonly draft: ResourceDraft;
  readonly own: OwnKindView;
  /** False until the fields are known. */
  readonly isReady: boolean;
  readonly form: SpecForm;
  readonly fields: readonly FormField[];
  readonly object: KubeObject;
  /** Wrong types, and values that are missing, by field. */
  readonly typed: ReadonlyMap<string, string>;
  /** What the schema says, and then these, at their fields. */
  problemsWith(causes: readonly FieldCause[]): NewResourceProblems;
  change(part: Partial<ResourceDraft>): void;
}

export interface NewResourceProblems {
  readonly byField: ReadonlyMap<string, string>;
  readonly ofName: string | undefined;
  readonly others: readonly FieldCause[];
}

/** The draft of a resource of a kind; without a namespace, in the first one where its operator is installed. */
export function useResourceDraft(kind: KindSummary, initialNamespace: string | undefined): NewResource {
  const [edited, setEdited] = useState<Partial<ResourceDraft>>({});
  const scope = useNamespaceScope();
  const taken = useTakenNames();
  const own = useOwnKind(kind, edited.namespace ?? initialNamespace ?? scope);
  const { namespace, behind } = own;
  const apiVersion = formatApiVersion(kind.group, kind.version);
  const schema = useSpecSchema(kind, behind);
  const form = useMemo(() => operatorForm(schema ?? {}, {}, behind), [schema, behind]);
  const draft = {
    namespace,
    name: edited.name ?? freeInstanceName(suggestedName(kind, own), namespace, taken),
    spec: edited.spec ?? {},
  };
  const fields = form.groups.flatMap((group) => group.fields);
  const changes = draftChanges(form.groups, draft.spec);
  const values = changes.flatMap(({ field, to }) => (to === undefined ? [] : [[field.name, to] as const]));
  const spec = newSpec(fields, new Map(values));
  const typed = draftProblems(form.groups, draft.spec);
  return {
    draft,
    own,
    isReady: own.isKnown && schema !== undefined,
    form,
    fields,
    object: { apiVersion, kind: kind.kind, metadata: { name: draft.name, namespace }, spec },
    typed,
    problemsWith: (causes) => {
      const all = [...(schema === undefined ? [] : schemaCauses(spec, schema)), ...causes];
      const { byField, others } = problemsAtFields(all, fields);
      const ofName = others.find(({ field }) => field.startsWith('metadata.name'));
      return {
        byField: new Map([...byField, ...typed]),
        ofName: draft.name === '' ? 'Required.' : ofName?.message,
        others: others.filter((each) => each !== ofName),
      };
    },
    change: (part) => setEdited({ ...edited, ...part }),
  };
}

/** The schema of `spec` as the cluster serves it; where it serves none, as the operator declares it. */
function useSpecSchema(kind: KindSummary, behind: OperatorOfKind | undefined): JsonSchema | undefined {
  const apiVersion = formatApiVersion(kind.group, kind.version);
  const served = useSchemas([apiVersion])(apiVersion, kind.kind);
  const declared =
    behind?.kind.versions.find(({ name }) => name === kind.version) ?? (behind && storageVersionOf(behind.kind));
  return (served ?? declared?.schema)?.properties?.spec;
}

/** An Instance has the name of its operator, as in an install; a run that of its kind. */
function suggestedName(kind: KindSummary, { behind, operator }: OwnKindView): string {
  const isRun = behind?.kind.run !== undefined;
  return isRun || operator === undefined ? kind.kind.toLowerCase() : operator;
}
