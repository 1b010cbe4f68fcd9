import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { dnsLabelProblems, subdomainProblems } from '@/lib/kube/label-syntax';
import { duplicate, invalid, notSupported, required, tooLong } from '@/lib/schema/field-error';
import { isIp, isIpv4, isIpv6 } from '@/lib/schema/formats';
import { objectOf, objectsOf, textOf, textsOf } from '../access';
import type { Faults } from '../kind-rules';
import { IP_TEXT } from '../pods/validate-pod-spec';
import { checkOneOf, checkOptionalName, checkPortNumber } from '../validation/numbers';
import { validateClassParameters } from './validate-reference';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** Endpoints (Kubernetes pkg/apis/core/validation ValidateEndpoints). */
export function validateEndpoints(object: JsonObject, faults: Faults): void {
  for (const [index, subset] of objectsOf(object, 'subsets').entries()) {
    const path = `subsets[${index}]`;
    const ready = objectsOf(subset, 'addresses');
    const waiting = objectsOf(subset, 'notReadyAddresses');
    if (ready.length + waiting.length === 0) {
      faults.push(required(path, 'must specify `addresses` or `notReadyAddresses`'));
    }
    for (const [list, addresses] of [
      ['addresses', ready],
      ['notReadyAddresses', waiting],
    ] as const) {
      for (const [at, address] of addresses.entries()) {
        const field = `${path}.${list}[${at}]`;
        checkAddress(textOf(address, 'ip'), `${field}.ip`, faults);
        checkOptionalName(address.hostname, `${field}.hostname`, dnsLabelProblems, faults);
        if (address.nodeName !== undefined) {
          const node = textOf(address, 'nodeName');
          for (const problem of subdomainProblems(node)) faults.push(invalid(`${field}.nodeName`, node, problem));
        }
      }
    }
    const ports = objectsOf(subset, 'ports');
    for (const [at, port] of ports.entries()) {
      const field = `${path}.ports[${at}]`;
      const name = textOf(port, 'name');
      if (name === '') {
        if (ports.length > 1) faults.push(required(`${field}.name`));
      } else for (const problem of dnsLabelProblems(name)) faults.push(invalid(`${field}.name`, name, problem));
      checkPortNumber(port.port, `${field}.port`, faults);
      checkOneOf(port.protocol, `${field}.protocol`, PROTOCOLS, faults);
    }
  }
}

/** Addresses that an endpoint cannot have. */
function checkAddress(address: string, field: string, faults: Faults): void {
  if (!isIp(address)) faults.push(invalid(field, address, IP_TEXT));
  else if (address === '0.0.0.0' || address === '::')
    faults.push(invalid(field, address, `may not be unspecified (${address})`));
  else if (address.startsWith('127.') || address === '::1') {
    faults.push(invalid(field, address, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'));
  } else if (address.startsWith('169.254.')) {
    faults.push(invalid(field, address, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'));
  }
}

const FAMILIES = ['FQDN', 'IPv4', 'IPv6'];

/** An EndpointSlice (pkg/apis/discovery/validation). */
export function validateSlice(object: JsonObject, faults: Faults): void {
  const family = textOf(object, 'addressType');
  if (family === '') faults.push(required('addressType'));
  else if (!FAMILIES.includes(family)) faults.push(notSupported('addressType', family, FAMILIES));
  for (const [index, endpoint] of objectsOf(object, 'endpoints').entries()) {
    const addresses = textsOf(endpoint, 'addresses');
    const field = `endpoints[${index}].addresses`;
    if (addresses.length === 0) faults.push(required(field, 'must contain at least 1 address'));
    for (const [at, address] of addresses.entries()) {
      const fits = family === 'IPv4' ? isIpv4(address) : family === 'IPv6' ? isIpv6(address) : true;
      if (!fits) faults.push(invalid(`${field}[${at}]`, address, `must be a valid ${family} address`));
    }
  }
  const names = new Set<string>();
  for (const [index, port] of objectsOf(object, 'ports').entries()) {
    const name = textOf(port, 'name');
    checkOptionalName(name, `ports[${index}].name`, dnsLabelProblems, faults);
    if (names.has(name)) faults.push(duplicate(`ports[${index}].name`, name));
    names.add(name);
    if (port.port !== undefined) checkPortNumber(port.port, `ports[${index}].port`, faults);
    checkOneOf(port.protocol, `ports[${index}].protocol`, PROTOCOLS, faults);
  }
}

export function validateSliceUpdate(object: JsonObject, old: JsonObject, faults: Faults): void {
  if (!jsonEqual(object.addressType, old.addressType)) {
    faults.push(invalid('addressType', object.addressType ?? '', 'field is immutable'));
  }
}

/** The controller of an IngressClass stays. */
export function validateIngressClassUpdate(object: JsonObject, old: JsonObject, faults: Faults): void {
  const [now, before] = [object, old].map((each) => textOf(objectOf(each, 'spec'), 'controller'));
  if (now !== before) faults.push(invalid('spec.controller', now ?? '', 'field is immutable'));
}

export function validateIngressClass(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec');
  const controller = textOf(spec, 'controller');
  if (controller.length > MAX_CONTROLLER) faults.push(tooLong('spec.controller', MAX_CONTROLLER));
  if (controller === '') faults.push(required('spec.controller'));
  else if (!/^[^/]+\/./.test(controller)) {
    faults.push(invalid('spec.controller', controller, 'must be a domain-prefixed path (such as "acme.io/foo")'));
  } else {
    const host = controller.slice(0, controller.indexOf('/'));
    for (const problem of subdomainProblems(host)) faults.push(invalid('spec.controller', host, problem));
  }
  validateClassParameters(spec, faults);
}

const MAX_CONTROLLER = 250;
