import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { GroupResource } from '@/server/sandbox/http/status';
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../kinds/access';
import { qualityOfService } from '../kinds/pods/quality-of-service';

/** True when the quota counts that object: one with scopes counts pods alone, those of all its scopes. */
export function isInScope(quota: KubeObject, { group, resource }: GroupResource, object: KubeObject): boolean {
  const spec = objectOf(quota as unknown as JsonObject, 'spec') ?? {};
  const scopes = textsOf(spec, 'scopes').map((scopeName) => ({ scopeName, operator: 'Exists' }));
  const all: JsonObject[] = [...scopes, ...objectsOf(objectOf(spec, 'scopeSelector'), 'matchExpressions')];
  if (all.length === 0) return true;
  if (group !== '' || resource !== 'pods') return false;
  const pod = objectOf(object as unknown as JsonObject, 'spec') ?? {};
  return all.every((scope) => matches(scope, pod));
}

function matches(scope: JsonObject, pod: JsonObject): boolean {
  const deadline = numberOf(pod, 'activeDeadlineSeconds');
  switch (scope.scopeName) {
    case 'Terminating':
      return deadline !== undefined && deadline >= 0;
    case 'NotTerminating':
      return deadline === undefined;
    case 'BestEffort':
      return qualityOfService(pod) === 'BestEffort';
    case 'NotBestEffort':
      return qualityOfService(pod) !== 'BestEffort';
    case 'PriorityClass':
      return matchesName(scope, textOf(pod, 'priorityClassName'));
    default:
      return false;
  }
}

function matchesName(scope: JsonObject, name: string): boolean {
  const values = textsOf(scope, 'values');
  switch (scope.operator) {
    case 'In':
      return values.includes(name);
    case 'NotIn':
      return !values.includes(name);
    case 'DoesNotExist':
      return name === '';
    default:
      return name !== '';
  }
}
