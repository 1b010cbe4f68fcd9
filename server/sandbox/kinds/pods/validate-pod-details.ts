import type { JsonObject } from '@/lib/json/json';
import { qualifiedNameProblems, subdomainProblems } from '@/lib/kube/label-syntax';
import { duplicate, invalid, notSupported, required } from '@/lib/schema/field-error';
import { isIp } from '@/lib/schema/formats';
import { objectOf, objectsOf, textOf, textsOf } from '../access';
import type { Faults } from '../kind-rules';
import { checkOneOf } from '../validation/numbers';

const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SYSCTL = 253;
const SYSCTL = '([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const SYSCTL_FORM = new RegExp(`^${SYSCTL}$`);
const SECCOMP = ['Localhost', 'RuntimeDefault', 'Unconfined'];

/** The smaller parts of a pod spec (Kubernetes pkg/apis/core/validation ValidatePodSpec). */
export function validatePodDetails(spec: JsonObject, path: string, faults: Faults): void {
  for (const [index, gate] of objectsOf(spec, 'readinessGates').entries()) {
    const type = textOf(gate, 'conditionType');
    const field = `${path}.readinessGates[${index}].conditionType`;
    for (const problem of qualifiedNameProblems(type)) faults.push(invalid(field, type, problem));
  }
  validateDnsConfig(objectOf(spec, 'dnsConfig'), `${path}.dnsConfig`, faults);
  const context = objectOf(spec, 'securityContext');
  const field = `${path}.securityContext`;
  validateSysctls(context, `${field}.sysctls`, faults);
  validateSeccomp(context, `${field}.seccompProfile`, faults);
  checkOneOf(context?.fsGroupChangePolicy, `${field}.fsGroupChangePolicy`, ['Always', 'OnRootMismatch'], faults);
}

function validateDnsConfig(config: JsonObject | undefined, path: string, faults: Faults): void {
  const servers = textsOf(config, 'nameservers');
  if (servers.length > MAX_NAMESERVERS) {
    faults.push(invalid(`${path}.nameservers`, servers, `must not have more than ${MAX_NAMESERVERS} nameservers`));
  }
  for (const [index, server] of servers.entries()) {
    const text = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
    if (!isIp(server)) faults.push(invalid(`${path}.nameservers[${index}]`, server, text));
  }
  const searches = textsOf(config, 'searches');
  if (searches.length > MAX_SEARCHES) {
    faults.push(invalid(`${path}.searches`, searches, `must not have more than ${MAX_SEARCHES} search paths`));
  }
  for (const [index, search] of searches.entries()) {
    // The root alone and underscores are let through.
    const name = search.replace(/\.$/, '').replaceAll('_', 'a');
    for (const problem of search === '.' ? [] : subdomainProblems(name)) {
      faults.push(invalid(`${path}.searches[${index}]`, search, problem));
    }
  }
  for (const [index, option] of objectsOf(config, 'options').entries()) {
    if (textOf(option, 'name') === '') faults.push(required(`${path}.options[${index}]`, 'must not be empty'));
  }
}

function validateSysctls(context: JsonObject | undefined, path: string, faults: Faults): void {
  const names = new Set<string>();
  for (const [index, { name }] of objectsOf(context, 'sysctls').entries()) {
    const field = `${path}[${index}].name`;
    if (typeof name !== 'string' || name === '') faults.push(required(field));
    else if (name.length > MAX_SYSCTL || !SYSCTL_FORM.test(name)) {
      const text = `must have at most ${MAX_SYSCTL} characters and match regex ${SYSCTL}`;
      faults.push(invalid(field, name, text));
    } else if (names.has(name)) faults.push(duplicate(field, name));
    names.add(String(name ?? ''));
  }
}

/** The seccomp profile of a pod or a container. */
export function validateSeccomp(context: JsonObject | undefined, path: string, faults: Faults): void {
  const profile = objectOf(context, 'seccompProfile');
  if (profile === undefined) return;
  const type = textOf(profile, 'type');
  if (type === '') faults.push(required(`${path}.type`, 'type is required when seccompProfile is set'));
  else if (!SECCOMP.includes(type)) faults.push(notSupported(`${path}.type`, type, SECCOMP));
  const field = `${path}.localhostProfile`;
  if (type === 'Localhost') {
    if (profile.localhostProfile === undefined) {
      faults.push(required(field, 'must be set when seccomp type is Localhost'));
    }
  } else if (profile.localhostProfile !== undefined) {
    faults.push(invalid(field, profile, 'can only be set when seccomp type is Localhost'));
  }
}
