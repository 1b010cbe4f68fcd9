import type { JsonObject } from '@/lib/json/json';
import { forbidden } from '../../errors/status';
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../base/access';
import type { StrategyContext } from '../base/strategy';
import { containersOf } from './defaults';

/** The admission plugin PodSecurity: what the labels of a namespace ask of the pods in it. */

/** The Pod Security Standards. */
export type SecurityLevel = 'privileged' | 'baseline' | 'restricted';

const PREFIX = 'pod-security.kubernetes.io/';

/** Refuses a pod below the level that is enforced (403), and warns below the level that is warned of. */
export function admitPodSecurity(pod: JsonObject, context: StrategyContext): void {
  const labels = namespaceLabels(pod, context);
  const spec = objectOf(pod, 'spec') ?? {};
  const violated = violations(spec, labels, 'enforce');
  if (violated !== undefined) {
    const name = textOf(objectOf(pod, 'metadata'), 'name');
    throw forbidden({ group: '', resource: 'pods' }, name, `violates PodSecurity ${violated}`);
  }
  warnPodSecurity(spec, labels, context);
}

/** Warns of a template whose pods would be below the level. */
export function warnTemplateSecurity(object: JsonObject, context: StrategyContext): void {
  const spec = objectOf(objectOf(objectOf(object, 'spec'), 'template'), 'spec');
  if (context.warn !== undefined) warnPodSecurity(spec ?? {}, namespaceLabels(object, context), context);
}

function warnPodSecurity(spec: JsonObject, labels: JsonObject, { warn }: StrategyContext): void {
  const violated = violations(spec, labels, 'warn');
  if (violated !== undefined) warn?.(`would violate PodSecurity ${violated}`);
}

/** `"restricted:latest": what is wrong`. */
function violations(spec: JsonObject, labels: JsonObject, mode: string): string | undefined {
  const level = textOf(labels, `${PREFIX}${mode}`);
  if (level !== 'baseline' && level !== 'restricted') return undefined;
  const faults = podSecurityFaults(spec, level);
  const version = textOf(labels, `${PREFIX}${mode}-version`) || 'latest';
  return faults.length === 0 ? undefined : `"${level}:${version}": ${faults.join(', ')}`;
}

function namespaceLabels(object: JsonObject, { get }: StrategyContext): JsonObject {
  const namespace = textOf(objectOf(object, 'metadata'), 'namespace');
  return { ...get?.({ group: '', resource: 'namespaces' }, namespace)?.metadata.labels };
}

/** One check: what is wrong with a pod spec, or undefined. */
type Check = (spec: JsonObject) => string | undefined;

const contextOf = (owner: JsonObject) => objectOf(owner, 'securityContext');
const capabilities = (container: JsonObject, key: string) =>
  textsOf(objectOf(contextOf(container), 'capabilities'), key);
const seccompOf = (owner: JsonObject) => textOf(objectOf(contextOf(owner), 'seccompProfile'), 'type');
const quoted = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(', ');
const plural = (word: string, names: readonly unknown[]) => (names.length === 1 ? word : `${word}s`);

/** `container "a"` or `containers "a", "b"` for the containers that a test picks. */
function named(spec: JsonObject, picks: (container: JsonObject) => boolean): string | undefined {
  const names = containersOf(spec)
    .filter(picks)
    .map((container) => textOf(container, 'name'));
  return names.length === 0 ? undefined : `${plural('container', names)} ${quoted(names)}`;
}

/** A check of each container for itself. */
function ofContainers(picks: (container: JsonObject) => boolean, text: (who: string) => string): Check {
  return (spec) => {
    const who = named(spec, picks);
    return who === undefined ? undefined : text(who);
  };
}

const ALLOWED = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  ),
);
const addedBy = (container: JsonObject) => capabilities(container, 'add').filter((each) => !ALLOWED.has(each));

function addedCapabilities(spec: JsonObject): string | undefined {
  const who = named(spec, (container) => addedBy(container).length > 0);
  if (who === undefined) return undefined;
  const names = quoted([...new Set(containersOf(spec).flatMap(addedBy))].sort());
  return `non-default capabilities (${who} must not include ${names} in securityContext.capabilities.add)`;
}

function hostNamespaces(spec: JsonObject): string | undefined {
  const used = ['hostNetwork', 'hostPID', 'hostIPC'].filter((key) => spec[key] === true);
  return used.length === 0 ? undefined : `host namespaces (${used.map((key) => `${key}=true`).join(', ')})`;
}

function hostPathVolumes(spec: JsonObject): string | undefined {
  const names = objectsOf(spec, 'volumes').flatMap((volume) => (volume.hostPath ? textOf(volume, 'name') : []));
  return names.length === 0 ? undefined : `hostPath volumes (${plural('volume', names)} ${quoted(names)})`;
}

function hostPorts(spec: JsonObject): string | undefined {
  const portsOf = (container: JsonObject) =>
    objectsOf(container, 'ports').flatMap((port) => numberOf(port, 'hostPort') || []);
  const who = named(spec, (container) => portsOf(container).length > 0);
  if (who === undefined) return undefined;
  const ports = [...new Set(containersOf(spec).flatMap(portsOf))];
  const verb = who.startsWith('containers') ? 'use' : 'uses';
  return `hostPort (${who} ${verb} ${plural('hostPort', ports)} ${ports.join(', ')})`;
}

const VOLUME_TYPES = new Set(
  'name configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret'.split(' '),
);

function volumeTypes(spec: JsonObject): string | undefined {
  const typeOf = (volume: JsonObject) => Object.keys(volume).filter((key) => !VOLUME_TYPES.has(key));
  const bad = objectsOf(spec, 'volumes').filter((volume) => typeOf(volume).length > 0);
  if (bad.length === 0) return undefined;
  const types = [...new Set(bad.flatMap(typeOf))];
  const verb = bad.length === 1 ? 'uses' : 'use';
  const names = quoted(bad.map((volume) => textOf(volume, 'name')));
  const subject = `${plural('volume', bad)} ${names} ${verb}`;
  return `restricted volume types (${subject} restricted volume ${plural('type', types)} ${quoted(types)})`;
}

function runAsNonRoot(spec: JsonObject): string | undefined {
  const isSet = contextOf(spec)?.runAsNonRoot === true;
  const [subject, wanted] = isSet
    ? ['', 'not set securityContext.runAsNonRoot=false']
    : ['pod or ', 'set securityContext.runAsNonRoot=true'];
  const who = named(spec, (container) => {
    const own = contextOf(container)?.runAsNonRoot;
    return isSet ? own === false : own !== true;
  });
  return who === undefined ? undefined : `runAsNonRoot != true (${subject}${who} must ${wanted})`;
}

function runAsRoot(spec: JsonObject): string | undefined {
  const isRoot = (owner: JsonObject) => contextOf(owner)?.runAsUser === 0;
  const who = [isRoot(spec) ? 'pod' : undefined, named(spec, isRoot)].filter((each) => each !== undefined);
  return who.length === 0 ? undefined : `runAsUser=0 (${who.join(' and ')} must not set runAsUser=0)`;
}

function unconfinedSeccomp(spec: JsonObject): string | undefined {
  const isUnconfined = (owner: JsonObject) => seccompOf(owner) === 'Unconfined';
  const who = isUnconfined(spec) ? 'pod' : named(spec, isUnconfined);
  return who && `seccompProfile (${who} must not set securityContext.seccompProfile.type to "Unconfined")`;
}

function missingSeccomp(spec: JsonObject): string | undefined {
  const isGood = (owner: JsonObject) => ['RuntimeDefault', 'Localhost'].includes(seccompOf(owner));
  const who = isGood(spec) ? undefined : named(spec, (container) => !isGood(container));
  const text = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
  return who && `seccompProfile (pod or ${who} ${text})`;
}

/** In the order in which the API names them (k8s.io/pod-security-admission policy). */
const BASELINE: readonly Check[] = [
  addedCapabilities,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  ofContainers(
    (container) => contextOf(container)?.privileged === true,
    (who) => `privileged (${who} must not set securityContext.privileged=true)`,
  ),
  unconfinedSeccomp,
];
const RESTRICTED: readonly Check[] = [
  ofContainers(
    (container) => contextOf(container)?.allowPrivilegeEscalation !== false,
    (who) => `allowPrivilegeEscalation != false (${who} must set securityContext.allowPrivilegeEscalation=false)`,
  ),
  ofContainers(
    (container) => !capabilities(container, 'drop').includes('ALL'),
    (who) => `unrestricted capabilities (${who} must set securityContext.capabilities.drop=["ALL"])`,
  ),
  volumeTypes,
  runAsNonRoot,
  runAsRoot,
  missingSeccomp,
];

/** Everything in a pod spec that a level does not allow. */
export function podSecurityFaults(spec: JsonObject, level: SecurityLevel): string[] {
  if (level === 'privileged') return [];
  const checks = level === 'baseline' ? BASELINE : [...BASELINE, ...RESTRICTED];
  return checks.flatMap((check) => check(spec) ?? []);
}
