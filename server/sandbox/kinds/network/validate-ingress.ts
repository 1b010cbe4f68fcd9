import type { JsonObject } from '@/lib/json/json';
import { subdomainProblems } from '@/lib/kube/label-syntax';
import { invalid, notSupported, required } from '@/lib/schema/field-error';
import { isIp } from '@/lib/schema/formats';
import { numberOf, objectOf, objectsOf, textOf } from '../base/access';
import type { Faults } from '../base/kind-rules';

const WILDCARD =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];

/** An Ingress (Kubernetes pkg/apis/networking/validation ValidateIngress). */
export function validateIngress(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  const rules = objectsOf(spec, 'rules');
  const backend = objectOf(spec, 'defaultBackend');
  if (rules.length === 0 && backend === undefined) {
    faults.push(invalid('spec', spec.rules ?? null, 'either `defaultBackend` or `rules` must be specified'));
  }
  for (const [index, rule] of rules.entries()) validateRule(rule, `spec.rules[${index}]`, faults);
  const name = spec.ingressClassName;
  if (typeof name === 'string') {
    for (const problem of subdomainProblems(name)) faults.push(invalid('spec.ingressClassName', name, problem));
  }
}

function validateHost(host: string, field: string, faults: Faults): void {
  if (host.includes('*')) {
    const rest = host.slice(2);
    if (!host.startsWith('*.') || subdomainProblems(rest).length > 0) faults.push(invalid(field, host, WILDCARD));
    return;
  }
  for (const problem of subdomainProblems(host)) faults.push(invalid(field, host, problem));
}

function validateRule(rule: JsonObject, path: string, faults: Faults): void {
  const host = textOf(rule, 'host');
  if (host !== '') {
    if (isIp(host)) faults.push(invalid(`${path}.host`, host, 'must be a DNS name, not an IP address'));
    else validateHost(host, `${path}.host`, faults);
  }
  const http = objectOf(rule, 'http');
  if (http === undefined) return;
  const paths = objectsOf(http, 'paths');
  if (paths.length === 0) faults.push(required(`${path}.http.paths`));
  for (const [index, each] of paths.entries()) validatePath(each, `${path}.http.paths[${index}]`, faults);
}

function validatePath(each: JsonObject, field: string, faults: Faults): void {
  const path = textOf(each, 'path');
  const type = textOf(each, 'pathType');
  if (type === '') faults.push(required(`${field}.pathType`, 'pathType must be specified'));
  else if (!PATH_TYPES.includes(type)) faults.push(notSupported(`${field}.pathType`, type, PATH_TYPES));
  else if (type !== 'ImplementationSpecific' || path !== '') {
    if (!path.startsWith('/')) faults.push(invalid(`${field}.path`, path, 'must be an absolute path'));
  }
  validateBackend(objectOf(each, 'backend') ?? {}, `${field}.backend`, faults);
}

function validateBackend(backend: JsonObject, field: string, faults: Faults): void {
  const service = objectOf(backend, 'service');
  const resource = objectOf(backend, 'resource');
  if (service === undefined && resource === undefined) {
    faults.push(invalid(field, '', 'resource or service backend is required'));
  } else if (service !== undefined) {
    const port = objectOf(service, 'port') ?? {};
    const portName = textOf(port, 'name');
    const number = numberOf(port, 'number') ?? 0;
    if (portName === '' && number === 0) faults.push(required(field, 'port name or number is required'));
  }
}
