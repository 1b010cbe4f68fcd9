import type { JsonObject } from '@/lib/json/json';
import { dnsLabel1035Problems, subdomainProblems } from '@/lib/kube/label-syntax';
import { isStrictlyWithin } from '@/lib/schema/cidr';
import { forbidden, invalid, notSupported, required } from '@/lib/schema/field-error';
import { isCidr, isIp } from '@/lib/schema/formats';
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../access';
import type { Faults } from '../kind-rules';
import { checkOneOf, checkPort, checkPortNumber, portNameProblems } from '../validation/numbers';
import { checkLabelSelector } from '../validation/selectors';
import { validateReference } from './validate-reference';

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
  if (backend !== undefined) validateBackend(backend, 'spec.defaultBackend', faults);
  for (const [index, rule] of rules.entries()) validateRule(rule, `spec.rules[${index}]`, faults);
  for (const [index, tls] of objectsOf(spec, 'tls').entries()) {
    for (const [at, host] of textsOf(tls, 'hosts').entries())
      validateHost(host, `spec.tls[${index}].hosts[${at}]`, faults);
    const secret = textOf(tls, 'secretName');
    for (const problem of secret === '' ? [] : subdomainProblems(secret)) {
      faults.push(invalid(`spec.tls[${index}].secretName`, secret, problem));
    }
  }
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
    else if (type !== 'ImplementationSpecific') {
      for (const part of ['//', '/./', '/../', '%2f', '%2F']) {
        if (path.includes(part)) faults.push(invalid(`${field}.path`, path, `must not contain '${part}'`));
      }
      for (const end of ['/..', '/.']) {
        if (path.endsWith(end)) faults.push(invalid(`${field}.path`, path, `cannot end with '${end}'`));
      }
    }
  }
  validateBackend(objectOf(each, 'backend') ?? {}, `${field}.backend`, faults);
}

function validateBackend(backend: JsonObject, field: string, faults: Faults): void {
  const service = objectOf(backend, 'service');
  const resource = objectOf(backend, 'resource');
  if (service === undefined && resource === undefined) {
    faults.push(invalid(field, '', 'resource or service backend is required'));
  } else if (service !== undefined && resource !== undefined) {
    faults.push(invalid(field, '', 'cannot set both resource and service backends'));
  } else if (resource !== undefined) validateReference(resource, `${field}.resource`, faults);
  else if (service !== undefined) {
    const name = textOf(service, 'name');
    if (name === '') faults.push(required(`${field}.service.name`));
    else for (const problem of dnsLabel1035Problems(name)) faults.push(invalid(`${field}.service.name`, name, problem));
    const port = objectOf(service, 'port') ?? {};
    const portName = textOf(port, 'name');
    const number = numberOf(port, 'number') ?? 0;
    if (portName === '' && number === 0) faults.push(required(field, 'port name or number is required'));
    else if (portName !== '' && number !== 0)
      faults.push(invalid(field, '', 'cannot set both port name & port number'));
    else if (portName !== '') {
      for (const problem of portNameProblems(portName))
        faults.push(invalid(`${field}.service.port.name`, portName, problem));
    } else checkPortNumber(number, `${field}.service.port.number`, faults);
  }
}

/** A NetworkPolicy (ValidateNetworkPolicy). */
export function validateNetworkPolicy(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  checkLabelSelector(objectOf(spec, 'podSelector'), 'spec.podSelector', faults);
  for (const [list, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const [index, rule] of objectsOf(spec, list).entries()) {
      const field = `spec.${list}[${index}]`;
      for (const [at, port] of objectsOf(rule, 'ports').entries()) {
        validatePolicyPort(port, `${field}.ports[${at}]`, faults);
      }
      for (const [at, peer] of objectsOf(rule, peers).entries()) validatePeer(peer, `${field}.${peers}[${at}]`, faults);
    }
  }
  const types = textsOf(spec, 'policyTypes');
  if (types.length > 2) faults.push(invalid('spec.policyTypes', types, 'may not specify more than two policyTypes'));
  for (const [index, type] of types.entries()) {
    if (type !== 'Ingress' && type !== 'Egress') {
      faults.push(notSupported(`spec.policyTypes[${index}]`, type, ['Egress', 'Ingress']));
    }
  }
}

function validatePolicyPort(port: JsonObject, field: string, faults: Faults): void {
  checkOneOf(port.protocol, `${field}.protocol`, ['SCTP', 'TCP', 'UDP'], faults);
  if (port.port !== undefined) checkPort(port.port, `${field}.port`, faults);
  const end = numberOf(port, 'endPort');
  if (end === undefined) return;
  if (typeof port.port !== 'number') {
    const why = port.port === undefined ? 'not specified' : 'non-numeric';
    const text = `may not be specified when \`port\` is ${why}`;
    faults.push(forbidden(`${field}.endPort`, text));
  } else if (end < port.port) {
    faults.push(invalid(`${field}.endPort`, end, 'must be greater than or equal to `port`'));
  }
}

function validatePeer(peer: JsonObject, field: string, faults: Faults): void {
  const selectors = ['podSelector', 'namespaceSelector'].filter((key) => objectOf(peer, key) !== undefined);
  for (const key of selectors) checkLabelSelector(objectOf(peer, key), `${field}.${key}`, faults);
  const block = objectOf(peer, 'ipBlock');
  if (block === undefined) {
    if (selectors.length === 0) faults.push(required(field, 'must specify a peer'));
    return;
  }
  if (selectors.length > 0) faults.push(forbidden(field, 'may not specify both ipBlock and another peer'));
  const cidr = textOf(block, 'cidr');
  if (cidr === '') faults.push(required(`${field}.ipBlock.cidr`));
  else if (!isCidr(cidr)) faults.push(invalid(`${field}.ipBlock.cidr`, cidr, CIDR_TEXT));
  else checkExcept(block, cidr, `${field}.ipBlock.except`, faults);
}

/** What a block leaves out lies within it and is smaller. */
function checkExcept(block: JsonObject, cidr: string, path: string, faults: Faults): void {
  for (const [index, except] of textsOf(block, 'except').entries()) {
    if (!isCidr(except)) {
      faults.push(invalid(`${path}[${index}]`, except, CIDR_TEXT));
      return;
    }
    if (!isStrictlyWithin(except, cidr)) {
      faults.push(invalid(`${path}[${index}]`, except, 'must be a strict subset of `cidr`'));
    }
  }
}

const CIDR_TEXT = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
