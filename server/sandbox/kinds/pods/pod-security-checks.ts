import type { JsonObject } from '@/lib/json/json';
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../base/access';
import { containersOf } from './pod-spec-defaults';

/** The Pod Security Standards. */
export type SecurityLevel = 'privileged' | 'baseline' | 'restricted';

/** One check: what is wrong with a pod spec, or undefined. */
type Check = (spec: JsonObject) => string | undefined;

/** In the order in which the API names them (k8s.io/pod-security-admission policy). */
const BASELINE: readonly Check[] = [
  addedCapabilities,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  privileged,
  unconfinedSeccomp,
];
const RESTRICTED: readonly Check[] = [
  privilegeEscalation,
  droppedCapabilities,
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

const contextOf = (container: JsonObject) => objectOf(container, 'securityContext');

/** `container "a"` or `containers "a", "b"` for the containers that a test picks. */
function named(spec: JsonObject, picks: (container: JsonObject) => boolean): string | undefined {
  const names = containersOf(spec)
    .filter(picks)
    .map((container) => JSON.stringify(textOf(container, 'name')));
  if (names.length === 0) return undefined;
  return `${names.length === 1 ? 'container' : 'containers'} ${names.join(', ')}`;
}

function hostNamespaces(spec: JsonObject): string | undefined {
  const used = ['hostNetwork', 'hostPID', 'hostIPC'].filter((key) => spec[key] === true);
  return used.length === 0 ? undefined : `host namespaces (${used.map((key) => `${key}=true`).join(', ')})`;
}

function privileged(spec: JsonObject): string | undefined {
  const who = named(spec, (container) => contextOf(container)?.privileged === true);
  return who === undefined ? undefined : `privileged (${who} must not set securityContext.privileged=true)`;
}

const ALLOWED = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  ),
);

function addedCapabilities(spec: JsonObject): string | undefined {
  const added = (container: JsonObject) =>
    textsOf(objectOf(contextOf(container), 'capabilities'), 'add').filter((each) => !ALLOWED.has(each));
  const who = named(spec, (container) => added(container).length > 0);
  if (who === undefined) return undefined;
  const names = [...new Set(containersOf(spec).flatMap(added))].sort().map((name) => JSON.stringify(name));
  return `non-default capabilities (${who} must not include ${names.join(', ')} in securityContext.capabilities.add)`;
}

function hostPathVolumes(spec: JsonObject): string | undefined {
  const names = objectsOf(spec, 'volumes')
    .filter((volume) => objectOf(volume, 'hostPath') !== undefined)
    .map((volume) => JSON.stringify(textOf(volume, 'name')));
  return names.length === 0
    ? undefined
    : `hostPath volumes (${names.length === 1 ? 'volume' : 'volumes'} ${names.join(', ')})`;
}

function hostPorts(spec: JsonObject): string | undefined {
  const portsOf = (container: JsonObject) =>
    objectsOf(container, 'ports').flatMap((port) => numberOf(port, 'hostPort') || []);
  const who = named(spec, (container) => portsOf(container).length > 0);
  if (who === undefined) return undefined;
  const ports = [...new Set(containersOf(spec).flatMap(portsOf))];
  const verb = who.startsWith('containers') ? 'use' : 'uses';
  return `hostPort (${who} ${verb} ${ports.length === 1 ? 'hostPort' : 'hostPorts'} ${ports.join(', ')})`;
}

function privilegeEscalation(spec: JsonObject): string | undefined {
  const who = named(spec, (container) => contextOf(container)?.allowPrivilegeEscalation !== false);
  if (who === undefined) return undefined;
  return `allowPrivilegeEscalation != false (${who} must set securityContext.allowPrivilegeEscalation=false)`;
}

function droppedCapabilities(spec: JsonObject): string | undefined {
  const who = named(
    spec,
    (container) => !textsOf(objectOf(contextOf(container), 'capabilities'), 'drop').includes('ALL'),
  );
  return who === undefined
    ? undefined
    : `unrestricted capabilities (${who} must set securityContext.capabilities.drop=["ALL"])`;
}

const VOLUME_TYPES = new Set(
  'name configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret'.split(' '),
);

function volumeTypes(spec: JsonObject): string | undefined {
  const bad = objectsOf(spec, 'volumes').flatMap((volume) => {
    const type = Object.keys(volume).find((key) => !VOLUME_TYPES.has(key));
    return type === undefined ? [] : [{ name: JSON.stringify(textOf(volume, 'name')), type: JSON.stringify(type) }];
  });
  if (bad.length === 0) return undefined;
  const types = [...new Set(bad.map(({ type }) => type))];
  const names = bad.map(({ name }) => name).join(', ');
  const subject = bad.length === 1 ? `volume ${names} uses` : `volumes ${names} use`;
  return `restricted volume types (${subject} restricted volume ${types.length === 1 ? 'type' : 'types'} ${types.join(', ')})`;
}

function runAsNonRoot(spec: JsonObject): string | undefined {
  if (contextOf(spec)?.runAsNonRoot === true) {
    const who = named(spec, (container) => contextOf(container)?.runAsNonRoot === false);
    return who === undefined
      ? undefined
      : `runAsNonRoot != true (${who} must not set securityContext.runAsNonRoot=false)`;
  }
  const who = named(spec, (container) => contextOf(container)?.runAsNonRoot !== true);
  return who === undefined
    ? undefined
    : `runAsNonRoot != true (pod or ${who} must set securityContext.runAsNonRoot=true)`;
}

function runAsRoot(spec: JsonObject): string | undefined {
  const who = [
    ...(contextOf(spec)?.runAsUser === 0 ? ['pod'] : []),
    ...[named(spec, (container) => contextOf(container)?.runAsUser === 0) ?? []].flat(),
  ];
  return who.length === 0 ? undefined : `runAsUser=0 (${who.join(' and ')} must not set runAsUser=0)`;
}

const seccompOf = (owner: JsonObject) => textOf(objectOf(contextOf(owner), 'seccompProfile'), 'type');

function unconfinedSeccomp(spec: JsonObject): string | undefined {
  const isPod = seccompOf(spec) === 'Unconfined';
  const who = isPod ? 'pod' : named(spec, (container) => seccompOf(container) === 'Unconfined');
  return who === undefined
    ? undefined
    : `seccompProfile (${who} must not set securityContext.seccompProfile.type to "Unconfined")`;
}

function missingSeccomp(spec: JsonObject): string | undefined {
  const good = ['RuntimeDefault', 'Localhost'];
  if (good.includes(seccompOf(spec))) return undefined;
  const who = named(spec, (container) => !good.includes(seccompOf(container)));
  if (who === undefined) return undefined;
  return `seccompProfile (pod or ${who} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")`;
}
