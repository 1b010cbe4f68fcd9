import type { JsonObject } from '@/lib/json/json';
import { dnsLabelProblems, qualifiedNameProblems } from '@/lib/kube/label-syntax';
import { compareQuantities } from '@/lib/kube/quantity';
import { duplicate, invalid, required } from '@/lib/schema/field-error';
import { objectOf, objectsOf, textOf } from '../base/access';
import type { Faults } from '../base/kind-rules';
import { checkName, checkOneOf, checkPortNumber, portNameProblems } from '../validation/numbers';
import { allowsOvercommit } from '../validation/resource-names';
import { validateEnv } from './validate-env';
import { validateProbes } from './validate-probes';
import { validateMounts } from './validate-volumes';

/** The containers of a pod spec (Kubernetes pkg/apis/core/validation validateContainers, validateInitContainers). */
export function validateContainers(spec: JsonObject, path: string, volumes: ReadonlySet<string>, faults: Faults): void {
  const containers = objectsOf(spec, 'containers');
  if (containers.length === 0) faults.push(required(`${path}.containers`));
  const names = new Set<string>();
  for (const list of ['initContainers', 'containers'] as const) {
    for (const [index, container] of objectsOf(spec, list).entries()) {
      const field = `${path}.${list}[${index}]`;
      validateContainer(container, field, volumes, faults);
      const name = textOf(container, 'name');
      if (name !== '' && names.has(name)) faults.push(duplicate(`${field}.name`, name));
      names.add(name);
    }
  }
}

function validateContainer(container: JsonObject, path: string, volumes: ReadonlySet<string>, faults: Faults): void {
  checkName(container.name, `${path}.name`, dnsLabelProblems, faults);
  const image = textOf(container, 'image');
  if (image === '') faults.push(required(`${path}.image`));
  else if (image !== image.trim())
    faults.push(invalid(`${path}.image`, image, 'must not have leading or trailing whitespace'));
  checkOneOf(container.imagePullPolicy, `${path}.imagePullPolicy`, ['Always', 'IfNotPresent', 'Never'], faults);
  checkOneOf(
    container.terminationMessagePolicy,
    `${path}.terminationMessagePolicy`,
    ['File', 'FallbackToLogsOnError'],
    faults,
  );
  validatePorts(container, path, faults);
  validateEnv(container, path, faults);
  validateMounts(container, path, volumes, faults);
  validateProbes(container, path, faults);
  validateResources(container, path, faults);
}

function validatePorts(container: JsonObject, path: string, faults: Faults): void {
  const names = new Set<string>();
  for (const [index, port] of objectsOf(container, 'ports').entries()) {
    const field = `${path}.ports[${index}]`;
    const name = textOf(port, 'name');
    if (name !== '') {
      const problems = portNameProblems(name);
      for (const problem of problems) faults.push(invalid(`${field}.name`, name, problem));
      if (problems.length === 0 && names.has(name)) faults.push(duplicate(`${field}.name`, name));
      names.add(name);
    }
    if (port.containerPort === undefined || port.containerPort === 0) faults.push(required(`${field}.containerPort`));
    else checkPortNumber(port.containerPort, `${field}.containerPort`, faults);
    if (port.hostPort !== undefined) checkPortNumber(port.hostPort, `${field}.hostPort`, faults);
    checkOneOf(port.protocol, `${field}.protocol`, ['SCTP', 'TCP', 'UDP'], faults);
  }
}

/** Resources that cannot be more than their limit, or that need whole numbers. */
const STANDARD = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** `resources` of a container (ValidateContainerResourceRequirements). */
export function validateResources(container: JsonObject, path: string, faults: Faults): void {
  const resources = objectOf(container, 'resources');
  const limits = objectOf(resources, 'limits') ?? {};
  const requests = objectOf(resources, 'requests') ?? {};
  for (const [kind, amounts] of [
    ['limits', limits],
    ['requests', requests],
  ] as const) {
    for (const [name, amount] of Object.entries(amounts)) {
      const field = `${path}.resources.${kind}`;
      if (!name.includes('/') && !STANDARD.has(name) && !name.startsWith('hugepages-')) {
        faults.push(invalid(field, name, 'must be a standard resource type or fully qualified'));
        faults.push(invalid(field, name, 'must be a standard resource for containers'));
      } else if (name.includes('/')) {
        for (const problem of qualifiedNameProblems(name)) faults.push(invalid(field, name, problem));
      }
      if (typeof amount === 'string' && compareQuantities(amount, '0') < 0) {
        faults.push(invalid(`${field}[${name}]`, amount, 'must be greater than or equal to 0'));
      }
    }
  }
  for (const [name, request] of Object.entries(requests)) {
    const limit = limits[name];
    if (limit === undefined && !allowsOvercommit(name)) {
      faults.push(required(`${path}.resources.limits`, 'Limit must be set for non overcommitable resources'));
    }
    if (typeof limit !== 'string' || typeof request !== 'string') continue;
    if (!allowsOvercommit(name) && compareQuantities(request, limit) !== 0) {
      faults.push(invalid(`${path}.resources.requests`, request, `must be equal to ${name} limit of ${limit}`));
    } else if (compareQuantities(request, limit) > 0) {
      faults.push(
        invalid(`${path}.resources.requests`, request, `must be less than or equal to ${name} limit of ${limit}`),
      );
    }
  }
}
