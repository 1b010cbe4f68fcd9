import { arrayAt, getAt, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { parseQuantity } from '@/lib/kube/quantity';
import { expandReferences } from '@/server/sandbox/workloads/kubelet/environment';
import { fieldOf, hostNameOf } from '@/server/sandbox/workloads/kubelet/pod-fields';
import { ConfigError, type ConfigSources, dataOf } from './config-sources';

/**
 * The environment of a container, in this order: what the image sets, HOSTNAME, Services, `envFrom`, `env` with `$(NAME)` replaced
 * by what came before (Kubernetes kubelet makeEnvironmentVariables).
 *
 * @throws ConfigError for a ConfigMap, Secret or key that does not exist
 */
export function containerEnvironment(
  pod: KubeObject,
  container: JsonValue,
  sources: ConfigSources,
  image: { readonly [name: string]: string },
): Map<string, string> {
  const env = new Map(Object.entries({ ...image, HOSTNAME: hostNameOf(pod) }));
  const fromPod = new Map<string, string>();
  if (getAt(pod, 'spec', 'enableServiceLinks') !== false) addServices(fromPod, sources.services(namespaceOf(pod)));
  for (const source of arrayAt(container, 'envFrom')) {
    const prefix = stringAt(source, 'prefix') ?? '';
    for (const [key, value] of everyKey(pod, source, sources)) fromPod.set(prefix + key, value);
  }
  for (const variable of arrayAt(container, 'env')) {
    const value = variableValue(pod, container, variable, sources);
    if (value !== undefined) fromPod.set(stringAt(variable, 'name') ?? '', expandReferences(value, fromPod));
  }
  for (const [name, value] of fromPod) env.set(name, value);
  return env;
}

/** What a container runs: command and args of the pod over those of the image, with `$(NAME)` replaced. */
export function containerCommand(
  container: JsonValue,
  image: { readonly entrypoint: readonly string[]; readonly command: readonly string[] },
  env: ReadonlyMap<string, string>,
): string[] {
  const texts = (field: string) => arrayAt(container, field).map((each) => expandReferences(String(each), env));
  const command = texts('command');
  const args = texts('args');
  if (command.length > 0) return [...command, ...args];
  return [...image.entrypoint, ...(args.length > 0 ? args : image.command)];
}

function variableValue(
  pod: KubeObject,
  container: JsonValue,
  variable: JsonValue,
  sources: ConfigSources,
): string | undefined {
  const from = objectAt(variable, 'valueFrom');
  if (from.fieldRef !== undefined) return fieldOf(pod, stringAt(from, 'fieldRef', 'fieldPath') ?? '');
  if (from.resourceFieldRef !== undefined) return resourceOf(pod, container, from.resourceFieldRef);
  for (const [field, kind] of [
    ['configMapKeyRef', 'ConfigMap'],
    ['secretKeyRef', 'Secret'],
  ] as const) {
    if (from[field] === undefined) continue;
    const name = stringAt(from, field, 'name') ?? '';
    const key = stringAt(from, field, 'key') ?? '';
    const data = dataOf(sources, kind, namespaceOf(pod), name);
    const found = data?.get(key);
    if (found !== undefined) return found.toString('utf8');
    if (getAt(from, field, 'optional') === true) return undefined;
    if (data === undefined) throw new ConfigError(`${kind.toLowerCase()} "${name}" not found`);
    throw new ConfigError(`couldn't find key ${key} in ${kind} ${namespaceOf(pod)}/${name}`);
  }
  return stringAt(variable, 'value') ?? '';
}

/** `limits.memory` and the like, divided by the divisor and rounded up; a missing limit is that of the node. */
export function resourceOf(pod: KubeObject, container: JsonValue, reference: JsonValue): string {
  const wanted = stringAt(reference, 'containerName');
  const named = arrayAt(pod, 'spec', 'containers').find((each) => stringAt(each, 'name') === wanted);
  const [list = '', ...rest] = (stringAt(reference, 'resource') ?? '').split('.');
  const name = rest.join('.');
  const unlimited = name === 'cpu' ? '2' : '4Gi';
  const amount = getAt(named ?? container, 'resources', list, name) ?? (list === 'limits' ? unlimited : '0');
  const value = parseQuantity(String(amount))?.nano ?? 0n;
  const one = parseQuantity(String(getAt(reference, 'divisor') ?? '1'))?.nano ?? 0n;
  const divisor = one === 0n ? 1_000_000_000n : one;
  return String((value + divisor - 1n) / divisor);
}

function* everyKey(pod: KubeObject, source: JsonValue, sources: ConfigSources): Generator<[string, string]> {
  for (const [field, kind] of [
    ['configMapRef', 'ConfigMap'],
    ['secretRef', 'Secret'],
  ] as const) {
    const name = stringAt(source, field, 'name');
    if (name === undefined) continue;
    const data = dataOf(sources, kind, namespaceOf(pod), name);
    if (data === undefined && getAt(source, field, 'optional') !== true) {
      throw new ConfigError(`${kind.toLowerCase()} "${name}" not found`);
    }
    for (const [key, value] of data ?? []) yield [key, value.toString('utf8')];
  }
}

/** `WEB_SERVICE_HOST`, `WEB_SERVICE_PORT` and `WEB_PORT_80_TCP…` for each Service with an address (Kubernetes pkg/kubelet/envvars). */
function addServices(env: Map<string, string>, services: readonly KubeObject[]): void {
  for (const service of services) {
    const address = stringAt(service, 'spec', 'clusterIP') ?? '';
    if (address === '' || address === 'None') continue;
    const prefix = nameOf(service).toUpperCase().replaceAll('-', '_');
    env.set(`${prefix}_SERVICE_HOST`, address);
    for (const [index, port] of arrayAt(service, 'spec', 'ports').entries()) {
      const number = String(getAt(port, 'port'));
      const name = stringAt(port, 'name') ?? '';
      const protocol = stringAt(port, 'protocol') ?? 'TCP';
      const url = `${protocol.toLowerCase()}://${address}:${number}`;
      if (index === 0) env.set(`${prefix}_SERVICE_PORT`, number).set(`${prefix}_PORT`, url);
      if (name !== '') env.set(`${prefix}_SERVICE_PORT_${name.toUpperCase().replaceAll('-', '_')}`, number);
      const link = `${prefix}_PORT_${number}_${protocol}`;
      env.set(link, url).set(`${link}_PROTO`, protocol.toLowerCase());
      env.set(`${link}_PORT`, number).set(`${link}_ADDR`, address);
    }
  }
}
