import { arrayAt, isJsonObject, type JsonObject, type JsonValue, objectAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { isSecretParameter } from '../parameters/parameters';
import { podTemplatePath } from '../rendering/enhance';
import { displayTitle, type ParameterEntry, type ParameterList, upperSnake } from './parameter-list';
import { secretValuesToParameters } from './secret-values';
import type { TemplateSlots } from './slots';

/** What a conversion collects. */
export interface Collected {
  readonly parameters: ParameterList;
  readonly slots: TemplateSlots;
  /** What stands for an image that occurs again. */
  readonly images: Map<string, JsonValue>;
  /** Reports something at the object's place. */
  note(level: 'info' | 'check', message: string): void;
}

/**
 * Replaces the values of an object that people change by tokens of parameters: replicas, image tags, resources, storage, ports of
 * Services, hosts, schedules, and everything secret. The object is changed.
 *
 * @param short what the object is called in names of parameters, e.g. `db`; empty for the main one
 */
export function findParameters(object: KubeObject, short: string, collected: Collected): void {
  const finder = new Finder(object, short === '' ? '' : `${upperSnake(short)}_`, collected);
  finder.workload();
  if (object.kind === 'Service') finder.service();
  if (object.kind === 'Ingress') finder.ingress();
  if (object.kind === 'PersistentVolumeClaim') finder.claim(objectAt(object, 'spec'), '', false);
  if (object.kind === 'HorizontalPodAutoscaler') finder.scaler();
  if (object.kind === 'Secret') secretValuesToParameters(object, finder.prefix, collected);
}

class Finder {
  private readonly spec: JsonObject;

  constructor(
    private readonly object: KubeObject,
    readonly prefix: string,
    private readonly collected: Collected,
  ) {
    this.spec = objectAt(object, 'spec');
  }

  workload(): void {
    const path = podTemplatePath(this.object);
    if (path === undefined) return;
    const what = `${this.object.kind} ${this.object.metadata.name}`;
    if (typeof this.spec.replicas === 'number') {
      this.replace(this.spec, 'replicas', { name: 'REPLICAS', type: 'integer', description: `Replicas of ${what}.` });
    }
    if (typeof this.spec.schedule === 'string') {
      this.replace(this.spec, 'schedule', { name: 'SCHEDULE', type: 'string', description: `When ${what} runs.` });
    }
    const pod = objectAt(this.object, ...path, 'spec');
    const containers = [...arrayAt(pod, 'initContainers'), ...arrayAt(pod, 'containers')].filter(isJsonObject);
    for (const container of containers) this.container(container, containers.length > 1);
    for (const claim of arrayAt(this.spec, 'volumeClaimTemplates')) {
      if (!isJsonObject(claim)) continue;
      const name = String(objectAt(claim, 'metadata').name ?? '');
      const isOne = arrayAt(this.spec, 'volumeClaimTemplates').length === 1;
      this.claim(objectAt(claim, 'spec'), isOne ? '' : `${upperSnake(name)}_`, true);
    }
  }

  private container(container: JsonObject, isOneOfSeveral: boolean): void {
    const name = String(container.name ?? '');
    const start = isOneOfSeveral ? `${upperSnake(name)}_` : '';
    this.image(container, start, name);
    for (const kind of ['requests', 'limits']) {
      const amounts = objectAt(container, 'resources', kind);
      for (const resource of ['cpu', 'memory']) {
        if (amounts[resource] === undefined) continue;
        const parameter = `${start}${resource.toUpperCase()}_${kind === 'requests' ? 'REQUEST' : 'LIMIT'}`;
        const what = `${resource === 'cpu' ? 'CPU' : 'Memory'} ${kind === 'requests' ? 'request' : 'limit'}`;
        const description = `${what} of container ${name}.`;
        this.quantity(amounts, resource, { name: parameter, type: 'string', description, group: 'resources' });
      }
    }
    for (const variable of arrayAt(container, 'env')) if (isJsonObject(variable)) this.variable(variable);
  }

  private image(container: JsonObject, start: string, name: string): void {
    const { image } = container;
    if (typeof image !== 'string') return;
    const known = this.collected.images.get(image);
    if (known !== undefined) {
      container.image = known;
      return;
    }
    const [, repository = '', tag] = /^([^@]+?)(?::([^/:@]+))?(?:@.*)?$/.exec(image) ?? [];
    const group = 'image';
    if (tag === undefined || image.includes('@')) {
      const description = `Image of container ${name}.`;
      this.replace(container, 'image', { name: `${start}IMAGE`, type: 'string', description, group });
      this.collected.images.set(image, container.image ?? image);
      return;
    }
    const description = `Tag of the image ${repository}.`;
    const parameter = this.add({ name: `${start}IMAGE_TAG`, type: 'string', description, default: tag, group });
    container.image = `${repository}:${this.collected.slots.token(`.Params.${parameter}`)}`;
    this.collected.images.set(image, container.image ?? image);
  }

  private variable(variable: JsonObject): void {
    const { name, value } = variable;
    if (typeof name !== 'string' || typeof value !== 'string' || value === '' || !isSecretParameter(name)) return;
    if (/^(true|false|yes|no|on|off|\d+|\/.*|.*\$\(.*)$/.test(value)) return;
    const description = `Value of the environment variable ${name} of ${this.object.kind} ${this.object.metadata.name}.`;
    const parameter = this.add({ name, type: 'string', description, secret: true, group: 'access' });
    variable.value = this.collected.slots.token(`.Params.${parameter} | quote`);
    this.collected.note('check', `The value of ${name} was left out and is the required parameter ${parameter}.`);
  }

  claim(spec: JsonObject, start: string, isTemplate: boolean): void {
    const requests = objectAt(spec, 'resources', 'requests');
    const immutable = isTemplate ? { immutable: true } : {};
    const group = 'storage';
    if (requests.storage !== undefined) {
      const description = 'Size of the volume.';
      this.quantity(requests, 'storage', { name: `${start}STORAGE`, type: 'string', description, group, ...immutable });
    }
    if (typeof spec.storageClassName !== 'string' || spec.storageClassName === '') return;
    const description = 'StorageClass of the volume.';
    const name = `${start}STORAGE_CLASS`;
    this.replace(spec, 'storageClassName', { name, type: 'string', description, group, immutable: true });
  }

  service(): void {
    const what = `Service ${this.object.metadata.name}`;
    const group = 'network';
    if (typeof this.spec.type === 'string' && this.spec.type !== 'ExternalName') {
      const description = `Type of ${what}.`;
      const types = ['ClusterIP', 'NodePort', 'LoadBalancer'];
      this.replace(this.spec, 'type', { name: 'SERVICE_TYPE', type: 'string', description, group, enum: types });
    }
    const ports = arrayAt(this.spec, 'ports').filter(isJsonObject);
    for (const port of ports) {
      // Without a target port, the port is also the one of the containers.
      if (typeof port.port !== 'number' || port.targetPort === undefined) continue;
      const start = ports.length > 1 && typeof port.name === 'string' ? `${upperSnake(port.name)}_` : '';
      const description = `Port of ${what}.`;
      const number = port.port;
      const name = this.replace(port, 'port', { name: `${start}SERVICE_PORT`, type: 'integer', description, group });
      this.collected.note('info', `Port ${number} of ${what} is the parameter ${name}.`);
    }
  }

  ingress(): void {
    const group = 'network';
    if (typeof this.spec.ingressClassName === 'string') {
      const description = 'IngressClass of the Ingress.';
      this.replace(this.spec, 'ingressClassName', { name: 'INGRESS_CLASS', type: 'string', description, group });
    }
    for (const rule of arrayAt(this.spec, 'rules')) {
      if (!isJsonObject(rule) || typeof rule.host !== 'string') continue;
      const { host } = rule;
      const name = this.replace(rule, 'host', { name: 'HOST', type: 'string', description: 'Host name.', group });
      for (const entry of arrayAt(this.spec, 'tls')) {
        if (!isJsonObject(entry) || !Array.isArray(entry.hosts)) continue;
        const code = `.Params.${name} | quote`;
        entry.hosts = entry.hosts.map((each) => (each === host ? this.collected.slots.token(code) : each));
      }
    }
  }

  scaler(): void {
    for (const [key, name] of [
      ['minReplicas', 'MIN_REPLICAS'],
      ['maxReplicas', 'MAX_REPLICAS'],
    ] as const) {
      if (typeof this.spec[key] !== 'number') continue;
      this.replace(this.spec, key, { name, type: 'integer', description: `${displayTitle(name)} of the autoscaler.` });
    }
  }

  /** A quantity is a text for the person; where the object has a number, the template writes one. */
  private quantity(holder: JsonObject, key: string, entry: ParameterEntry): void {
    const value = holder[key];
    if (typeof value !== 'number') {
      this.replace(holder, key, entry);
      return;
    }
    const name = this.add({ ...entry, default: String(value) });
    holder[key] = this.collected.slots.token(`.Params.${name}`);
  }

  /** Makes the member a parameter with its value as the default. */
  private replace(holder: JsonObject, key: string, entry: ParameterEntry): string {
    const value = holder[key] ?? '';
    // Whole numbers are texts in params.yaml, as KUDO's own verification wants them.
    const name = this.add({ ...entry, default: entry.type === 'integer' ? String(value) : value });
    const code = `.Params.${name}`;
    holder[key] = this.collected.slots.token(entry.type === 'integer' ? code : `${code} | quote`);
    return name;
  }

  private add(entry: ParameterEntry): string {
    const name = `${this.prefix}${entry.name}`;
    const members = entry.enum !== undefined && !entry.enum.includes(entry.default ?? '') ? [] : entry.enum;
    return this.collected.parameters.add({
      displayName: displayTitle(name),
      group: 'general',
      ...entry,
      name,
      ...(members === undefined || members.length === 0 ? {} : { enum: members }),
    });
  }
}
