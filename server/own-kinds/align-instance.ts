import type { JsonObject } from '@/lib/json/json';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { decideAdmission } from '@/lib/kudo/admission/decision';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { BrokenRule } from '@/lib/kudo/own-kinds/judge-rules';
import { differingValues, givenValues, mappedParameters } from '@/lib/kudo/own-kinds/mapped-parameters';
import { OWNED_BY_ANNOTATION, ownerText, VERSION_ANNOTATION } from '@/lib/kudo/own-kinds/names';
import type { ExpressionScope, OwnKind } from '@/lib/kudo/own-kinds/types';
import { newInstance } from '@/lib/kudo/package/to-objects';
import { missingParameters } from '@/lib/kudo/parameters/parameters';
import { confirmationRefusal } from '@/lib/kudo/plan-metadata/confirmation';
import { requestAnnotations } from '@/lib/kudo/runs/run-request';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { previewChange } from '@/server/preconditions/preview-change';
import type { OwnKindDeps } from './own-kind-deps';
import type { WatchedResource } from './own-kind-watches';

export interface InstanceWork {
  readonly watched: WatchedResource;
  readonly kind: OwnKind;
  readonly scope: ExpressionScope;
  /** The version of a new Instance, or the one that the annotation of the resource names. */
  readonly picked: OperatorVersion;
}

/** @returns the Instance, or why it was not created */
export async function createInstance(deps: OwnKindDeps, work: InstanceWork): Promise<Instance | BrokenRule> {
  const { watched, kind, scope, picked } = work;
  const { resource } = watched;
  const values = mappedParameters(kind.instance?.parameters ?? {}, scope, picked);
  const parameters = givenValues(values);
  const missing = missingParameters(picked, parameters);
  if (missing.length > 0) {
    const message = `The Instance needs a value of ${missing.join(', ')}, which the kind does not set.`;
    return { reason: 'ParametersMissing', message };
  }
  const made = newInstance(picked, { namespace: namespaceOf(resource), name: nameOf(resource), parameters });
  const instance: Instance = {
    ...made,
    metadata: { ...made.metadata, annotations: { [OWNED_BY_ANNOTATION]: ownerText(resource) } },
  };
  const decision = decideAdmission({
    operation: 'CREATE',
    new: instance,
    newOperatorVersion: picked,
    newUid: 'preview',
  });
  if (decision.outcome === 'denied') return { reason: 'ChangeRefused', message: sentence(decision.message ?? '') };
  return (await deps.api.create({ ...INSTANCES, namespace: namespaceOf(resource) }, instance)) as Instance;
}

export function adoptInstance(deps: OwnKindDeps, { watched }: InstanceWork, instance: Instance): Promise<Instance> {
  return patch(deps, instance, { metadata: { annotations: { [OWNED_BY_ANNOTATION]: ownerText(watched.resource) } } });
}

/**
 * Brings the mapped parameters, and the version that the resource names, in line: one write, which starts the plan that such an edit by a
 * person starts. Everything else of the Instance stays.
 *
 * @returns the Instance as it was written, or why it was not; undefined when it is in line
 */
export async function alignInstance(
  deps: OwnKindDeps,
  { watched, kind, scope, picked }: InstanceWork,
  { instance, own }: { readonly instance: Instance; readonly own: OperatorVersion | undefined },
): Promise<Instance | BrokenRule | undefined> {
  if (own === undefined) {
    const name = instance.spec?.operatorVersion?.name ?? '';
    return { reason: 'OperatorVersionMissing', message: `OperatorVersion ${name} of the Instance does not exist.` };
  }
  const { resource } = watched;
  const moves = isVersionNamed(watched) && nameOf(picked) !== nameOf(own);
  const version = moves ? picked : own;
  const values = differingValues(instance, mappedParameters(kind.instance?.parameters ?? {}, scope, version), version);
  if (!moves && Object.keys(values).length === 0) return undefined;
  const edit = { parameters: values, ...(moves ? { operatorVersion: picked } : {}), nowMs: deps.clock.now() };
  const preview = await previewChange(deps.api, instance, own, edit);
  if (preview.outcome === 'refused') return { reason: 'ChangeRefused', message: sentence(preview.message ?? '') };
  if (preview.confirmation !== undefined && preview.plan !== undefined) {
    const message = sentence(confirmationRefusal(instance, preview.plan, version));
    return { reason: 'ConfirmationRequired', message };
  }
  const before = instance.spec?.parametersFrom;
  const after = preview.instance.spec?.parametersFrom;
  return patch(deps, instance, {
    metadata: { annotations: requestAnnotations(preview.plan, { reason: `${resource.kind} ${nameOf(resource)}` }) },
    spec: {
      parameters: { ...values },
      ...(before?.length === after?.length ? {} : { parametersFrom: (after ?? null) as unknown as JsonObject | null }),
      ...(moves ? { operatorVersion: { name: nameOf(picked) } } : {}),
    },
  });
}

async function patch(deps: OwnKindDeps, instance: Instance, change: JsonObject): Promise<Instance> {
  const target = { ...INSTANCES, namespace: namespaceOf(instance), name: nameOf(instance) };
  const metadata = change.metadata as JsonObject;
  const { resourceVersion = '' } = instance.metadata;
  return (await deps.api.patch(target, 'merge', { ...change, metadata: { ...metadata, resourceVersion } })) as Instance;
}

function isVersionNamed({ resource }: WatchedResource): boolean {
  return resource.metadata.annotations?.[VERSION_ANNOTATION] !== undefined;
}

export function sentence(text: string): string {
  const first = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?`]$/.test(first) ? first : `${first}.`;
}
