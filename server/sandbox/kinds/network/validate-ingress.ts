import { subdomainProblems } from '@/lib/kube/label-syntax';
import { isIp } from '@/lib/schema/formats';
import type { CheckedField } from '../base/checked-field';

const WILDCARD =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** An Ingress (Kubernetes pkg/apis/networking/validation ValidateIngress). */
export function validateIngress(object: CheckedField): void {
  const spec = object.at('spec');
  const rules = spec.at('rules');
  if (rules.items.length === 0 && !spec.at('defaultBackend').isGiven) {
    spec.invalid('either `defaultBackend` or `rules` must be specified', rules.value ?? null);
  }
  spec.at('ingressClassName').check(subdomainProblems);
  for (const rule of rules.items) {
    if (rule.at('host').text !== '') rule.at('host').check(hostProblems);
    const paths = rule.at('http', 'paths');
    if (rule.at('http').isGiven && paths.items.length === 0) paths.required();
    for (const path of paths.items) validatePath(path);
  }
}

function hostProblems(host: string): string[] {
  if (isIp(host)) return ['must be a DNS name, not an IP address'];
  if (!host.includes('*')) return subdomainProblems(host);
  return host.startsWith('*.') && subdomainProblems(host.slice(2)).length === 0 ? [] : [WILDCARD];
}

function validatePath(each: CheckedField): void {
  const path = each.at('path');
  const type = each.at('pathType');
  if (type.text === '') type.required('pathType must be specified');
  type.oneOf(['Exact', 'ImplementationSpecific', 'Prefix']);
  if ((['Exact', 'Prefix'].includes(type.text) || path.text !== '') && !path.text.startsWith('/')) {
    path.invalid('must be an absolute path', path.text);
  }
  const backend = each.at('backend');
  const service = backend.at('service');
  if (!service.isGiven && !backend.at('resource').isGiven)
    backend.invalid('resource or service backend is required', '');
  if (service.isGiven && service.at('port').given('name', 'number').length === 0) {
    backend.required('port name or number is required');
  }
}
