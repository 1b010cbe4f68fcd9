import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { RECORD_SECRET_TYPE } from '@/server/runs/record-secret';
import type { SandboxApi } from '@/server/sandbox/api';
import { stableName } from './witness';

/** Fields that the server counts or generates, and records of the run itself. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'managedFields',
  'observedGeneration',
  // Checks run on the clock, whatever plans do.
  'healthChecks',
  // What only the process knows that saw a step begin or end, and how large its record is.
  'seconds',
  'attempts',
  'startedAt',
  'finishedAt',
  'recordBytes',
  // When a sweep saw that the Instance is gone.
  'instanceGoneAt',
  // The webhook, when it is reached, knows the person.
  'requestedBy',
]);
/** Created by the server for every namespace, or derived from the other objects. */
const KINDS_LEFT_OUT: ReadonlySet<string> = new Set([
  'Event',
  'Endpoints',
  'EndpointSlice',
  'ServiceAccount',
  'ControllerRevision',
]);
/**
 * Which of several parallel steps wrote an object last is not defined. An object that two plans render alike, such as one with a time in
 * seconds when both ran within one, keeps the marks of the first.
 */
const MARKS: ReadonlySet<string> = new Set([
  'kudo.dev/phase',
  'kudo.dev/step',
  'kudo.dev/plan',
  'kudo.dev/last-applied-configuration',
]);
/** How long runs took. */
const DURATIONS: ReadonlySet<string> = new Set(['bravo.kudo.dev/runs']);

/** Who steered a run: the webhook, when it is reached, knows the person. */
const STEERED_BY = /\.status\.steering\.\d+\.by$/;

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
/** A time in seconds since 1970, as `unixEpoch` of templates writes it. */
const UNIX_TIME = /^"1\d{9}"$/;

/** Leaves by path, e.g. `ConfigMap/app-a#0.data.value`. */
export type NamespaceState = ReadonlyMap<string, string>;

/** Everything in a namespace as leaves, without the namespace's name and what differs in every run. */
export function namespaceState(api: SandboxApi, namespace: string): NamespaceState {
  const leaves = new Map<string, string>();
  const seen = new Map<string, number>();
  for (const resource of api.resources()) {
    if (!resource.namespaced || KINDS_LEFT_OUT.has(resource.kind) || resource.kind.endsWith('Review')) continue;
    for (const object of api.list({ ...resource, namespace })) {
      if (object.kind !== resource.kind || object.metadata.name === 'kube-root-ca.crt') continue;
      const name = `${object.kind}/${stableName(object)}`;
      const place = seen.get(name) ?? 0;
      seen.set(name, place + 1);
      collect(withoutRecord(object), `${name}#${place}`, leaves);
      // planExecution names a plan that had to wait, and not one that ended in its first reconcile: one write of spec more.
      if (object.kind === 'Instance') leaves.delete(`${name}#${place}.metadata.generation`);
    }
  }
  const plain = (text: string) =>
    text.replaceAll(namespace, 'NAMESPACE').replace(TIME, 'TIME').replace(UNIX_TIME, 'TIME');
  const told = [...leaves].filter(([path]) => !STEERED_BY.test(path));
  return new Map(told.map(([path, text]) => [path, plain(text)]));
}

/** The packed record of a run says which process changed what. */
function withoutRecord(object: KubeObject): JsonObject {
  const { data, ...rest } = object as unknown as JsonObject;
  return object.type === RECORD_SECRET_TYPE || data === undefined ? rest : { ...rest, data };
}

function collect(value: JsonValue, path: string, leaves: Map<string, string>): void {
  if (Array.isArray(value)) {
    for (const [index, member] of value.entries()) collect(member, `${path}.${index}`, leaves);
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (member !== undefined && !LEFT_OUT.has(key) && !MARKS.has(key) && !DURATIONS.has(key))
        collect(member, `${path}.${key}`, leaves);
    }
  } else leaves.set(path, JSON.stringify(value));
}

/** Paths that differ between two undisturbed runs: times, uids, addresses, random values of a template. */
export function volatilePaths(first: NamespaceState, second: NamespaceState): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const path of new Set([...first.keys(), ...second.keys()])) {
    if (first.get(path) !== second.get(path)) paths.add(path);
  }
  return paths;
}

/** The differences from the reference, a sentence a leaf. A volatile leaf must exist, with any value. */
export function stateDifferences(
  reference: NamespaceState,
  state: NamespaceState,
  volatile: ReadonlySet<string>,
): string[] {
  const found: string[] = [];
  for (const path of new Set([...reference.keys(), ...state.keys()])) {
    const [was, is] = [reference.get(path), state.get(path)];
    if (was === is || (volatile.has(path) && was !== undefined && is !== undefined)) continue;
    if (volatile.has(path) && (was === undefined || is === undefined) && path.includes('Instance/')) continue;
    found.push(`I2: ${path} is ${is}, without the crash ${was}`);
  }
  return found;
}
