import { getAt, isJsonObject, type JsonValue, stringAt } from '@/lib/json/json';
import { hasCondition } from '@/lib/kube/conditions';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { effectiveValues, secretParameters } from '@/lib/kudo/parameters/parameters';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { beganMs } from '@/lib/kudo/runs/run-words';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { isInRange, rangeProblem } from '@/lib/kudo/upgrades/version-range';
import type { ReferenceParameter } from './reference-parameter';

/** A Service of the Instance that is referred to. */
export type ReferredService = {
  /** `NAME.NAMESPACE.svc`. */
  readonly Host: string;
  /** Empty or `None` for one without an address of its own. */
  readonly ClusterIP: string;
  /** Port numbers by name; one without a name is `port-NUMBER`. */
  readonly Ports: { readonly [name: string]: number };
};

/** What templates see as `.Refs.PARAMETER`. */
export type ReferenceValue = {
  readonly Kind: 'Instance' | 'Secret' | 'ConfigMap';
  readonly Name: string;
  readonly Namespace: string;
  /** Empty for an external connection, as are the two versions. */
  readonly Operator: string;
  readonly OperatorVersion: string;
  readonly AppVersion: string;
  /** Values of parameters as text, without secret ones. */
  readonly Params: { readonly [name: string]: string };
  readonly Services: { readonly [name: string]: ReferredService };
  /** Of an Instance: the newest output of its runs, name by type. Of a Secret or ConfigMap: its data. */
  readonly Outputs: { readonly [name: string]: string };
};

/** `.Refs`: by parameter; null for a parameter without a value. */
export type ReferenceValues = { readonly [parameter: string]: ReferenceValue | null };

/** Everything that is read of an Instance that is referred to. */
export interface ReferredInstance {
  readonly instance: Instance;
  /** Undefined when it does not exist. */
  readonly operatorVersion: OperatorVersion | undefined;
  readonly services: readonly KubeObject[];
  readonly runs: readonly PlanRun[];
}

/** Why a plan waits for an Instance that it refers to, as the rest of a sentence about it; undefined when it is as the parameter needs it. */
export function referenceProblem(parameter: ReferenceParameter, referred: ReferredInstance): string | undefined {
  const { instance, operatorVersion } = referred;
  const { operator, version, operatorVersion: range } = parameter;
  const { operator: reference, version: is = '', appVersion = '' } = operatorVersion?.spec ?? {};
  if (operatorVersion === undefined) return 'has no OperatorVersion';
  if (operator !== undefined && reference?.name !== operator) {
    return `is of operator ${reference?.name ?? ''}, and parameter ${parameter.parameter} needs one of ${operator}`;
  }
  const wrong = versionProblem(version, appVersion === '' ? is : appVersion) ?? versionProblem(range, is);
  if (wrong !== undefined) return `${wrong}, which parameter ${parameter.parameter} needs`;
  return hasCondition(instance, 'Ready') ? undefined : 'is not ready';
}

function versionProblem(range: string | undefined, version: string): string | undefined {
  if (range === undefined || range === '') return undefined;
  if (rangeProblem(range) !== undefined) return `cannot be compared with ${range}`;
  return isInRange(range, version) ? undefined : `has version ${version}, which is not in ${range}`;
}

/** What templates see of an Instance. Services that no Instance label names are not its own. */
export function instanceReference({ instance, operatorVersion, services, runs }: ReferredInstance): ReferenceValue {
  const secret = secretParameters(operatorVersion);
  const values = operatorVersion === undefined ? [] : [...effectiveValues(operatorVersion, instance)];
  return {
    Kind: 'Instance',
    Name: nameOf(instance),
    Namespace: namespaceOf(instance),
    Operator: operatorVersion?.spec?.operator?.name ?? '',
    OperatorVersion: operatorVersion?.spec?.version ?? '',
    AppVersion: operatorVersion?.spec?.appVersion ?? '',
    Params: Object.fromEntries(values.filter(([name]) => !secret.has(name))),
    Services: Object.fromEntries(services.map((service) => [nameOf(service), serviceOf(service)])),
    Outputs: outputsOf(runs),
  };
}

/** What templates see of an external connection. @param data texts by key, decoded */
export function externalReference(object: KubeObject, data: { readonly [key: string]: string }): ReferenceValue {
  const nothing = { Operator: '', OperatorVersion: '', AppVersion: '', Params: {}, Services: {} };
  const Kind = object.kind === 'Secret' ? 'Secret' : 'ConfigMap';
  return { ...nothing, Kind, Name: nameOf(object), Namespace: namespaceOf(object), Outputs: data };
}

function serviceOf(service: KubeObject): ReferredService {
  const found = getAt(service.spec, 'ports');
  const ports = Array.isArray(found) ? found.filter(isJsonObject) : [];
  return {
    Host: `${nameOf(service)}.${namespaceOf(service)}.svc`,
    ClusterIP: stringAt(service.spec, 'clusterIP') ?? '',
    Ports: Object.fromEntries(ports.flatMap(portOf)),
  };
}

function portOf({ name, port }: { readonly [key: string]: JsonValue | undefined }): [string, number][] {
  if (typeof port !== 'number') return [];
  return [[typeof name === 'string' && name !== '' ? name : `port-${port}`, port]];
}

function outputsOf(runs: readonly PlanRun[]): { [type: string]: string } {
  const outputs: { [type: string]: string } = {};
  const oldestFirst = [...runs].sort((a, b) => beganMs(a) - beganMs(b));
  for (const { status } of oldestFirst)
    for (const { type = '', name = '' } of status?.outputs ?? []) outputs[type] = name;
  return outputs;
}
