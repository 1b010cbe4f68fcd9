import { dnsLabelProblems, subdomainProblems } from '@/lib/kube/label-syntax';
import { compareQuantities } from '@/lib/kube/quantity';
import type { CheckedField } from '../base/checked-field';
import { checkPort, checkPortNumber, configKeyProblems, portNameProblems } from '../validation/values';

/** The containers of a pod spec (Kubernetes pkg/apis/core/validation validateContainers, validateInitContainers). */
export function validateContainers(spec: CheckedField, volumes: ReadonlySet<string>): void {
  if (spec.at('containers').items.length === 0) spec.at('containers').required();
  const names = new Set<string>();
  for (const container of [...spec.at('initContainers').items, ...spec.at('containers').items]) {
    const name = container.at('name');
    name.name(dnsLabelProblems);
    if (name.text !== '' && names.has(name.text)) name.duplicate();
    names.add(name.text);
    container.at('image').name();
    container.at('imagePullPolicy').oneOf(['Always', 'IfNotPresent', 'Never']);
    container.at('terminationMessagePolicy').oneOf(['File', 'FallbackToLogsOnError']);
    validatePorts(container.at('ports'));
    validateEnv(container);
    validateMounts(container.at('volumeMounts'), volumes);
    validateProbes(container);
    validateResources(container.at('resources'));
  }
}

function validatePorts(ports: CheckedField): void {
  const names = new Set<string>();
  for (const port of ports.items) {
    const name = port.at('name');
    name.check(portNameProblems);
    if (name.isGiven && names.has(name.text)) name.duplicate();
    names.add(name.text);
    const number = port.at('containerPort');
    if ((number.number ?? 0) === 0) number.required();
    else checkPortNumber(number);
    for (const hostPort of port.given('hostPort')) checkPortNumber(hostPort);
    port.at('protocol').oneOf(['SCTP', 'TCP', 'UDP']);
  }
}

const STANDARD = ['cpu', 'memory', 'ephemeral-storage'];

/** `resources` of a container (ValidateContainerResourceRequirements). */
function validateResources(resources: CheckedField): void {
  const limits = resources.at('limits').object;
  for (const amounts of [resources.at('limits'), resources.at('requests')]) {
    for (const [name, amount] of Object.entries(amounts.object)) {
      if (!name.includes('/') && !STANDARD.includes(name) && !name.startsWith('hugepages-')) {
        amounts.invalid('must be a standard resource type or fully qualified', name);
        amounts.invalid('must be a standard resource for containers', name);
      }
      if (compareQuantities(String(amount), '0') < 0) {
        amounts.key(name).invalid('must be greater than or equal to 0');
      }
    }
  }
  const requests = resources.at('requests');
  for (const [name, request] of Object.entries(requests.object)) {
    const limit = limits[name];
    if (typeof limit !== 'string' || compareQuantities(String(request), limit) <= 0) continue;
    requests.invalid(`must be less than or equal to ${name} limit of ${limit}`, request);
  }
}

/** Each mount names a volume of the pod. */
function validateMounts(mounts: CheckedField, volumes: ReadonlySet<string>): void {
  const paths = new Set<string>();
  for (const mount of mounts.items) {
    const name = mount.at('name');
    if (name.text !== '' && !volumes.has(name.text)) name.notFound();
    name.name();
    const path = mount.at('mountPath');
    path.name();
    if (path.text !== '' && paths.has(path.text)) path.invalid('must be unique');
    paths.add(path.text);
  }
}

const FIELDS = new Set(
  `metadata.name metadata.namespace metadata.uid spec.nodeName spec.serviceAccountName status.hostIP status.hostIPs
  status.podIP status.podIPs`.split(/\s+/),
);
const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];
const NAME = "a valid environment variable name must consist only of printable ASCII characters other than '='";

/** Environment variables of a container (ValidateEnv). */
function validateEnv(container: CheckedField): void {
  for (const variable of container.at('env').items) {
    variable.at('name').name((name) => (/^[\x20-\x3c\x3e-\x7e]+$/.test(name) ? [] : [NAME]));
    const source = variable.at('valueFrom');
    if (!source.isGiven) continue;
    checkOnlyOne(source, SOURCES);
    if (variable.at('value').text !== '') source.invalid('may not be specified when `value` is not empty', '');
    for (const path of source.given('fieldRef').map((field) => field.at('fieldPath'))) {
      path.name((text) =>
        FIELDS.has(text) || /^metadata\.(annotations|labels)\['.*'\]$/.test(text)
          ? []
          : [`error converting fieldPath: field label not supported: ${text}`],
      );
    }
    for (const reference of source.given('configMapKeyRef', 'secretKeyRef')) {
      reference.at('name').name(subdomainProblems);
      reference.at('key').name(configKeyProblems);
    }
  }
  for (const source of container.at('envFrom').items) {
    checkOnlyOne(source, ['configMapRef', 'secretRef']);
    for (const reference of source.given('configMapRef', 'secretRef')) reference.at('name').name(subdomainProblems);
  }
}

function checkOnlyOne(source: CheckedField, kinds: readonly string[]): void {
  const given = source.given(...kinds);
  const names = kinds.map((kind) => `\`${kind}\``);
  if (given.length === 0)
    source.invalid(`must specify one of: ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`, '');
  if (given.length > 1) source.invalid('may not have more than one field specified at a time', '');
}

const NUMBERS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

/** Probes of a container (validateProbe, validateHandler). */
function validateProbes(container: CheckedField): void {
  for (const probe of container.given('livenessProbe', 'readinessProbe', 'startupProbe')) {
    probe.notNegative(...NUMBERS);
    const successes = probe.at('successThreshold');
    if (!probe.path.endsWith('.readinessProbe') && (successes.number ?? 1) > 1) successes.invalid('must be 1');
    const [handler, ...others] = probe.given('exec', 'httpGet', 'tcpSocket', 'grpc');
    for (const other of others) other.forbidden('may not specify more than 1 handler type');
    if (handler === undefined) probe.required('must specify a handler type');
    else if (handler.path.endsWith('.exec')) {
      if (handler.at('command').items.length === 0) handler.at('command').required();
    } else {
      checkPort(handler.at('port'));
      handler.at('scheme').oneOf(['HTTP', 'HTTPS']);
    }
  }
}
