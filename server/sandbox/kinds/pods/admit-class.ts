import { type JsonObject, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { forbidden } from '../../errors/status';
import { ensureObject, numberOf, objectOf, textOf } from '../base/access';
import type { StrategyContext } from '../base/strategy';

const PRIORITY_CLASSES = { group: 'scheduling.k8s.io', resource: 'priorityclasses' };

/**
 * Gives the pod the priority of its class, or of the default one (Kubernetes plugin/pkg/admission/priority).
 * @throws StatusError 403 for a class that does not exist, and for a number that is not that of the class
 */
export function admitPriority(pod: JsonObject, context: StrategyContext): void {
  const spec = ensureObject(pod, 'spec');
  const refused = (because: string) =>
    forbidden({ group: '', resource: 'pods' }, textOf(objectOf(pod, 'metadata'), 'name'), because);
  const name = textOf(spec, 'priorityClassName');
  const found = name === '' ? defaultPriorityClass(context) : context.get?.(PRIORITY_CLASSES, name);
  if (found === undefined && name !== '') throw refused(`no PriorityClass with name ${name} was found`);
  if (found !== undefined) spec.priorityClassName = found.metadata.name ?? '';
  const value = numberAt(found, 'value') ?? 0;
  const given = numberOf(spec, 'priority') ?? value;
  if (given !== value) {
    throw refused(
      `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    );
  }
  spec.priority = value;
  spec.preemptionPolicy = stringAt(found, 'preemptionPolicy') ?? 'PreemptLowerPriority';
}

/** The PriorityClass that pods without one get; undefined without any. */
export function defaultPriorityClass(context: StrategyContext): KubeObject | undefined {
  for (const each of context.list?.(PRIORITY_CLASSES) ?? []) if (each.globalDefault === true) return each;
  return undefined;
}
