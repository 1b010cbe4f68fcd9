import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { forbidden, type StatusError } from '../../errors/status';
import { ensureObject, numberOf, objectOf, textOf } from '../base/access';
import type { StrategyContext } from '../base/strategy';

/** The admission plugin Priority: what the class that a new pod names brings into it. */

const PRIORITY_CLASSES = { group: 'scheduling.k8s.io', resource: 'priorityclasses' };
/**
 * Gives the pod the priority of its class, or of the default one (Kubernetes plugin/pkg/admission/priority).
 * @throws StatusError 403 for a class that is not there, and for a number that is not that of the class
 */
export function admitPriority(pod: JsonObject, context: StrategyContext): void {
  const spec = ensureObject(pod, 'spec');
  const found = priorityClassOf(pod, spec, context);
  if (found !== undefined) spec.priorityClassName = found.metadata.name ?? '';
  const value = typeof found?.value === 'number' ? found.value : 0;
  const given = numberOf(spec, 'priority');
  if (given !== undefined && given !== value) {
    throw refused(
      pod,
      `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    );
  }
  spec.priority = value;
  const policy = typeof found?.preemptionPolicy === 'string' ? found.preemptionPolicy : 'PreemptLowerPriority';
  const wanted = textOf(spec, 'preemptionPolicy');
  if (wanted !== '' && wanted !== policy) {
    throw refused(
      pod,
      `the string value of PreemptionPolicy (${wanted}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    );
  }
  spec.preemptionPolicy = policy;
}

function priorityClassOf(pod: JsonObject, spec: JsonObject, context: StrategyContext): KubeObject | undefined {
  const name = textOf(spec, 'priorityClassName');
  if (name === '') return defaultPriorityClass(context);
  const found = context.get?.(PRIORITY_CLASSES, name);
  if (found === undefined && context.get !== undefined && !Object.hasOwn(BUILT_IN, name)) {
    throw refused(pod, `no PriorityClass with name ${name} was found`);
  }
  return found ?? builtIn(name);
}

/** They are always there: a server without a bootstrap knows their numbers too. */
const BUILT_IN: { readonly [name: string]: number } = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

function builtIn(name: string): KubeObject | undefined {
  const value = BUILT_IN[name];
  return value === undefined
    ? undefined
    : { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value };
}

/** The PriorityClass that pods without one get; undefined without any. */
export function defaultPriorityClass(context: StrategyContext): KubeObject | undefined {
  for (const each of context.list?.(PRIORITY_CLASSES) ?? []) if (each.globalDefault === true) return each;
  return undefined;
}

/** 403 of an admission plugin about a pod. */
function refused(pod: JsonObject, because: string): StatusError {
  return forbidden({ group: '', resource: 'pods' }, textOf(objectOf(pod, 'metadata'), 'name'), because);
}
