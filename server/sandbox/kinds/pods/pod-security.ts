import type { JsonObject } from '@/lib/json/json';
import { forbidden } from '../../errors/status';
import { objectOf, textOf } from '../base/access';
import type { StrategyContext } from '../base/strategy';
import { podSecurityFaults, type SecurityLevel } from './pod-security-checks';

const PREFIX = 'pod-security.kubernetes.io/';

/** The admission plugin PodSecurity: what the labels of a namespace ask of the pods in it. */

/** Refuses a pod below the level that is enforced (403), and warns below the level that is warned of. */
export function admitPodSecurity(pod: JsonObject, context: StrategyContext): void {
  const labels = namespaceLabels(pod, context);
  if (labels === undefined) return;
  const spec = objectOf(pod, 'spec') ?? {};
  const enforced = levelOf(labels, 'enforce');
  const violated = violations(spec, enforced);
  if (violated !== '') {
    const text = `violates PodSecurity "${enforced}:${versionOf(labels, 'enforce')}": ${violated}`;
    throw forbidden({ group: '', resource: 'pods' }, textOf(objectOf(pod, 'metadata'), 'name'), text);
  }
  warnPodSecurity(spec, labels, context);
}

/** Warns of a template whose pods would be below the level. */
export function warnTemplateSecurity(object: JsonObject, spec: JsonObject | undefined, context: StrategyContext): void {
  const labels = namespaceLabels(object, context);
  if (labels !== undefined && spec !== undefined) warnPodSecurity(spec, labels, context);
}

function warnPodSecurity(spec: JsonObject, labels: JsonObject, { warn }: StrategyContext): void {
  const level = levelOf(labels, 'warn');
  const violated = violations(spec, level);
  if (violated !== '') warn?.(`would violate PodSecurity "${level}:${versionOf(labels, 'warn')}": ${violated}`);
}

function violations(spec: JsonObject, level: SecurityLevel): string {
  return podSecurityFaults(spec, level).join(', ');
}

/** The labels of the namespace, when they speak of Pod Security at all. */
function namespaceLabels(object: JsonObject, context: StrategyContext): JsonObject | undefined {
  const namespace = textOf(objectOf(object, 'metadata'), 'namespace');
  const labels = context.get?.({ group: '', resource: 'namespaces' }, namespace)?.metadata.labels ?? {};
  return Object.keys(labels).some((label) => label.startsWith(PREFIX)) ? labels : undefined;
}

function levelOf(labels: JsonObject, mode: string): SecurityLevel {
  const level = textOf(labels, `${PREFIX}${mode}`);
  return level === 'baseline' || level === 'restricted' ? level : 'privileged';
}

function versionOf(labels: JsonObject, mode: string): string {
  return textOf(labels, `${PREFIX}${mode}-version`) || 'latest';
}
