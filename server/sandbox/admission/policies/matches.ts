import type { AdmissionRequest } from '../gate';
import { covers, fitsNamespace, fitsObject, includes, type NamespaceLabels } from '../matching';
import type { MatchResources, NamedRule } from './policy';

/** True when a policy or binding is about the request; without rules it is about every resource. */
export function matchesRequest(match: MatchResources, request: AdmissionRequest, labelsOf: NamespaceLabels): boolean {
  const fits = (rule: NamedRule) =>
    includes(rule.operations, request.operation) &&
    covers(rule, request.info, request.subresource, match.isExact) &&
    (rule.names.length === 0 || rule.names.includes(request.name));
  if (match.excluded.some(fits)) return false;
  if (match.rules.length > 0 && !match.rules.some(fits)) return false;
  return fitsNamespace(match, request, labelsOf) && fitsObject(match, request);
}
