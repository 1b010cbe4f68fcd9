import type { JsonObject, JsonValue } from '@/lib/json/json';
import { inInstallOrder } from '@/lib/kube/install-order';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { OPERATOR_FILE, PARAMS_FILE, type PackageFiles, type PackageProblem, problemAt } from '../package/types';
import { cleanObject, reasonToSkip } from './clean-object';
import { type Collected, findParameters } from './find-parameters';
import { commonPrefix, type OwnNames, shortName, withInstanceNames } from './names';
import { ParameterList, writeParams } from './parameter-list';
import type { ManifestObject } from './read-manifests';
import { findRepeatedVariables } from './repeated-values';
import { TemplateSlots } from './slots';
import { type TaskGroup, writeOperator } from './write-operator';

/** One line of the report: what was done (`info`), or what a person has to look at (`check`). */
export interface ConversionNote extends PackageProblem {
  readonly level: 'info' | 'check';
}

export interface ConvertedPackage {
  readonly files: PackageFiles;
  readonly notes: readonly ConversionNote[];
  /** The name of an Instance that gets the input's own names. */
  readonly instanceName: string;
}

/**
 * Turns Kubernetes objects into a package: a template for each object, tasks by the order in which kinds are installed, and
 * parameters for what people change. Rendered with the defaults, for an Instance named {@link ConvertedPackage.instanceName} and with
 * the input's Secrets as parameters, the templates give the input without namespaces and what servers write.
 *
 * @param name of the operator; what the names of the objects begin with by default
 */
export function manifestsToPackage(input: readonly ManifestObject[], name?: string): ConvertedPackage {
  const notes: ConversionNote[] = [];
  const kept = keepObjects(input, notes);
  const slots = new TemplateSlots(input.map(({ object }) => JSON.stringify(object)));
  const parameters = new ParameterList();
  const images = new Map<string, JsonValue>();
  const own = ownNames(kept, new Set(input.flatMap(namespacesOf)));
  const operator = name ?? (own.prefix === '' ? 'my-operator' : own.prefix);
  const collectedAt = ({ file, line }: ManifestObject): Collected => ({
    parameters,
    slots,
    images,
    note: (level, message) => notes.push({ ...problemAt(file, line, message), level }),
  });
  for (const each of kept) findParameters(each.object, shortName(nameOf(each.object), own.prefix), collectedAt(each));
  const [first] = kept;
  if (first !== undefined) {
    const objects = kept.map(({ object }) => object);
    findRepeatedVariables(objects, collectedAt(first));
    noteNames(own, objects, collectedAt(first));
  }
  const files = new Map<string, string>();
  const groups = new Map<TaskGroup, string[]>();
  const fileNames = new Set<string>();
  for (const object of inInstallOrder(kept.map((each) => each.object))) {
    const file = fileNameOf(object, own.prefix, fileNames);
    const group = groupOf(object);
    // The installer sets the name of the Namespace, and verification reads the manifest before it is rendered.
    const written = group === 'namespace' ? object : withInstanceNames(object, own, slots);
    files.set(`templates/${file}`, slots.write(written as unknown as JsonObject));
    groups.set(group, [...(groups.get(group) ?? []), file]);
  }
  const namespaceManifest = groups.get('namespace')?.[0];
  files.set(PARAMS_FILE, writeParams(parameters.all()));
  files.set(OPERATOR_FILE, writeOperator({ name: operator, groups, namespaceManifest }));
  return { files, notes, instanceName: own.prefix === '' ? operator : own.prefix };
}

function keepObjects(input: readonly ManifestObject[], notes: ConversionNote[]): ManifestObject[] {
  const seen = new Set<string>();
  return input.flatMap((each) => {
    const { object, file, line } = each;
    const what = `${object.kind} ${nameOf(object)}`;
    const note = (level: ConversionNote['level'], message: string) =>
      notes.push({ ...problemAt(file, line, message), level });
    const reason = reasonToSkip(object) ?? reasonOfRepetition(object, seen);
    if (reason !== undefined) {
      note('check', `${what} was left out: ${reason}.`);
      return [];
    }
    if (isNamespace(object)) note('info', `${what} is the namespace manifest: install --create-namespace uses it.`);
    if (object.kind === 'Job')
      note('check', `${what} cannot be changed: add a task that deletes the Job to run it again.`);
    return [{ ...each, object: cleanObject(object) }];
  });
}

/** An object that occurs again; there is one Namespace at most. The object is added to those that occurred. */
function reasonOfRepetition(object: KubeObject, seen: Set<string>): string | undefined {
  const identity = isNamespace(object) ? 'Namespace' : `${object.apiVersion}/${object.kind}/${nameOf(object)}`;
  if (!seen.has(identity)) {
    seen.add(identity);
    return undefined;
  }
  return isNamespace(object)
    ? 'an Instance has one namespace, and a package one Namespace at most'
    : 'it occurs before with the same name';
}

function isNamespace({ kind, apiVersion }: KubeObject): boolean {
  return kind === 'Namespace' && apiVersion === 'v1';
}

function ownNames(kept: readonly ManifestObject[], namespaces: ReadonlySet<string>): OwnNames {
  const objects = kept.map(({ object }) => object).filter(({ kind }) => kind !== 'Namespace');
  const prefix = commonPrefix(objects);
  const names = objects.filter(({ kind }) => kind !== 'CustomResourceDefinition').map(nameOf);
  return { prefix, names: new Set(prefix === '' ? [] : names), namespaces };
}

function namespacesOf({ object }: ManifestObject): string[] {
  const named = object.kind === 'Namespace' ? nameOf(object) : namespaceOf(object);
  return named === '' ? [] : [named];
}

function noteNames(own: OwnNames, objects: readonly KubeObject[], { note }: Collected): void {
  if (own.prefix === '') {
    note(
      'check',
      'The names of the objects have no common beginning and stay: a namespace can have one Instance only.',
    );
  } else note('info', `"${own.prefix}" in names and labels is the name of the Instance.`);
  const wide = objects.filter(({ kind }) => /^Cluster|^CustomResource|WebhookConfiguration$/.test(kind));
  for (const { kind, metadata } of wide) {
    note('check', `${kind} ${metadata.name} belongs to the whole cluster: deleting an Instance does not delete it.`);
  }
}

function fileNameOf(object: KubeObject, prefix: string, used: Set<string>): string {
  const short = shortName(nameOf(object), prefix).replace(/[^a-z0-9.-]+/gi, '-');
  const base = [object.kind.toLowerCase(), ...(short === '' ? [] : [short])].join('-');
  for (let count = 1; ; count++) {
    const file = `${base}${count === 1 ? '' : `-${count}`}.yaml`;
    if (used.has(file)) continue;
    used.add(file);
    return file;
  }
}

const WORKLOADS = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'Pod', 'ReplicaSet']);
const AFTER = new Set(['Ingress', 'HorizontalPodAutoscaler', 'HTTPRoute', 'APIService']);

function groupOf({ kind, apiVersion }: { readonly kind: string; readonly apiVersion: string }): TaskGroup {
  if (kind === 'Namespace') return 'namespace';
  if (kind === 'CustomResourceDefinition') return 'definitions';
  if (WORKLOADS.has(kind)) return 'workloads';
  if (AFTER.has(kind) || kind.endsWith('WebhookConfiguration')) return 'access';
  return /^(v1$|[a-z0-9-]+\/|[a-z0-9.-]*\.k8s\.io\/)/.test(apiVersion) ? 'configuration' : 'resources';
}

/** The group of a file with several objects: the one of a workload, if there is one, else the one of the first object. */
export function groupOfKinds(kinds: readonly { readonly kind: string; readonly apiVersion: string }[]): TaskGroup {
  const groups = kinds.map(groupOf);
  return groups.find((group) => group === 'workloads') ?? groups[0] ?? 'configuration';
}
