import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { StatusError } from '../errors/status';
import type { StrategyContext } from './base/strategy';
import { DecodeError } from './decode/decode-error';
import { builtinStrategy } from './strategies';

const context: StrategyContext = { nowMs: 0, subresource: undefined };
const podSpec = { containers: [{ name: 'app', image: 'registry.example/app:1' }] };

function kindOf(object: KubeObject) {
  const [group, version] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : ['', object.apiVersion];
  return builtinStrategy({ group: group ?? '', version: version ?? '', kind: object.kind });
}

/** The way of an object through its kind on a create. */
function created(given: object, uses: StrategyContext = context): KubeObject {
  const object = given as KubeObject;
  const strategy = kindOf(object);
  const decoded = strategy.decode(object).object;
  strategy.applyDefaults(decoded);
  decoded.metadata.uid = 'the-uid';
  strategy.prepareForCreate(decoded, uses);
  return decoded;
}

function faultsOf(given: object): string[] {
  const object = created(given);
  return kindOf(object)
    .validateCreate(object, context)
    .map(({ field, message }) => `${field}: ${message}`);
}

function decodeFault(given: object): string {
  try {
    kindOf(given as KubeObject).decode(given as KubeObject);
  } catch (error) {
    if (error instanceof DecodeError) return error.detail;
    throw error;
  }
  return '';
}

const pod = (spec: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec });
const deployment = (spec: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: podSpec },
    ...spec,
  },
});

describe('decoding', () => {
  it('drops unknown fields and reports them in the order of the text', () => {
    const object = {
      ...deployment({ odd: 1 }),
      metadata: { name: 'web', strange: true },
    };
    const { object: decoded, unknownFields } = kindOf(object as KubeObject).decode(object as KubeObject);
    expect(unknownFields).toEqual(['metadata.strange', 'spec.odd']);
    expect(decoded.spec).not.toHaveProperty('odd');
  });

  it('drops nulls and the zeros that Go omits, and keeps those of pointers', () => {
    const object = created(
      pod({
        ...podSpec,
        hostNetwork: false,
        automountServiceAccountToken: false,
        nodeName: '',
        securityContext: { runAsUser: 0 },
        volumes: null,
      }),
    );
    expect(object.spec).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsUser: 0 } });
    for (const key of ['hostNetwork', 'nodeName', 'volumes']) expect(object.spec).not.toHaveProperty(key);
  });

  it('writes quantities and times in their canonical form', () => {
    const limits = { cpu: '0.5', memory: '1024Mi' };
    const object = created(pod({ containers: [{ name: 'a', image: 'i', resources: { limits } }] }));
    expect(object.spec).toMatchObject({
      containers: [{ resources: { limits: { cpu: '500m', memory: '1Gi' }, requests: { cpu: '500m', memory: '1Gi' } } }],
    });
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {},
      spec: { renewTime: '2024-01-01T01:04:05.123456+02:00' },
    };
    expect(created(lease).spec).toEqual({ renewTime: '2023-12-31T23:04:05.123456Z' });
    const data = { wrapped: 'YWJj\nZGVm\n', loose: 'aa==', loose2: 'aGF=', empty: '' };
    const secret = created({ apiVersion: 'v1', kind: 'Secret', metadata: {}, data });
    expect(secret.data).toEqual({ wrapped: 'YWJjZGVm', loose: 'aQ==', loose2: 'aGE=', empty: '' });
  });

  it.each([
    [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data: { k: 5 } }, /^json: cannot unmarshal number 5 into/],
    [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data: 'x' }, /^json: cannot unmarshal string into/],
    [{ apiVersion: 'v1', kind: 'Secret', metadata: {}, data: { k: '*' } }, /^illegal base64 data at input byte 0$/],
    [deployment({ replicas: 2 ** 31 }), /^json: cannot unmarshal number 2147483648 into/],
    [pod({ containers: [{ resources: { limits: { cpu: 'x' } } }] }), /^quantities must match/],
    [
      {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: {},
        spec: { renewTime: '2024-01-02T03:04:05Z' },
      },
      /cannot parse "Z" as "\.000000"$/,
    ],
  ])('refuses %j', (object, detail) => {
    expect(decodeFault(object)).toMatch(detail);
  });

  it('answers 400 and says which kind could not be read', () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data: 5 } as unknown as KubeObject;
    try {
      kindOf(object).decode(object);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(StatusError);
      expect(error).toMatchObject({ code: 400, restoreDetail: 'cannot restore map from int64' });
      expect(String(error)).toContain('ConfigMap in version "v1" cannot be handled as a ConfigMap: json:');
    }
  });
});

describe('defaults', () => {
  it('pulls images by their tag', () => {
    const images = ['i', 'i:latest', 'i:1', 'reg.example:5000/i', 'i@sha256:aa'];
    const object = created(pod({ containers: images.map((image, index) => ({ name: `c${index}`, image })) }));
    const policies = (object.spec as { containers: { imagePullPolicy: string }[] }).containers.map(
      (each) => each.imagePullPolicy,
    );
    expect(policies).toEqual(['Always', 'Always', 'IfNotPresent', 'Always', 'IfNotPresent']);
  });

  it('begins a pod pending, with tolerations, priority and its class of service', () => {
    const object = created(pod(podSpec));
    expect(object.status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
    expect(object.spec).toMatchObject({ priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
    expect((object.spec as { tolerations: unknown[] }).tolerations).toHaveLength(2);
  });

  it('makes the selector of a Job from its uid', () => {
    const template = { spec: { ...podSpec, restartPolicy: 'Never' } };
    const job = created({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'work' }, spec: { template } });
    expect(job.spec).toMatchObject({
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'the-uid' } },
      backoffLimit: 6,
      completions: 1,
    });
    expect(job.metadata.labels).toMatchObject({ 'job-name': 'work' });
  });

  it('gives Services the lowest free address and node port, and keeps them on updates', () => {
    const service = (spec: object) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec });
    const first = created(service({ ports: [{ port: 80 }], type: 'NodePort' }));
    first.metadata.uid = 'first';
    expect(first.spec).toMatchObject({
      clusterIP: '10.0.0.2',
      clusterIPs: ['10.0.0.2'],
      ports: [{ nodePort: 30_000, targetPort: 80 }],
    });
    const second = created(service({ ports: [{ port: 80 }], type: 'NodePort' }), { ...context, list: () => [first] });
    expect(second.spec).toMatchObject({ clusterIP: '10.0.0.3', ports: [{ nodePort: 30_001 }] });
    const changed = kindOf(first).decode(service({ ports: [{ port: 90 }] }) as unknown as KubeObject).object;
    kindOf(first).applyDefaults(changed);
    kindOf(first).prepareForUpdate(changed, first, context);
    expect(changed.spec).toMatchObject({ clusterIP: '10.0.0.2', ports: [{ port: 90, targetPort: 90 }] });
    expect((changed.spec as { ports: object[] }).ports[0]).not.toHaveProperty('nodePort');
  });

  it('writes stringData into data', () => {
    const secret = created({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      stringData: { a: 'ü' },
      data: { b: 'eA==' },
    });
    expect(secret).toMatchObject({ type: 'Opaque', data: { a: 'w7w=', b: 'eA==' } });
    expect(secret).not.toHaveProperty('stringData');
  });

  it('holds for every kind, and a second time changes nothing', () => {
    for (const object of [deployment(), pod(podSpec)]) {
      const once = created(object);
      const twice = structuredClone(once);
      kindOf(once).applyDefaults(twice);
      expect(twice).toEqual(once);
    }
  });
});

describe('status and generation', () => {
  it('keeps status from the object and the rest from /status', () => {
    const old = created(deployment());
    const strategy = kindOf(old);
    const main = { ...structuredClone(old), status: { replicas: 9 } };
    strategy.prepareForUpdate(main, old, context);
    expect(main.status).toEqual(old.status);
    const status = { ...structuredClone(old), spec: { replicas: 9 }, status: { replicas: 1 } };
    strategy.prepareForUpdate(status, old, { ...context, subresource: 'status' });
    expect(status.spec).toEqual(old.spec);
    expect(status.status).toEqual({ replicas: 1 });
  });

  it.each([
    ['a Deployment', deployment(), ['annotations', 'finalizers', 'ownerReferences']],
    ['a pod', pod(podSpec), ['annotations', 'finalizers', 'labels']],
    [
      'a quota',
      { apiVersion: 'v1', kind: 'ResourceQuota', metadata: {} },
      ['annotations', 'finalizers', 'labels', 'ownerReferences'],
    ],
  ])('/status of %s takes the metadata that Kubernetes takes there', (_what, object, taken) => {
    const old = created(object);
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'o', uid: 'u' };
    const more = { annotations: { a: 'b' }, finalizers: ['a.b/c'], labels: { a: 'b' }, ownerReferences: [owner] };
    const changed = { ...structuredClone(old), metadata: { ...old.metadata, ...more } };
    kindOf(old).prepareForUpdate(changed, old, { ...context, subresource: 'status' });
    const metadata = changed.metadata as { [name: string]: unknown };
    const seen = Object.keys(more).filter((key) => metadata[key] === (more as { [name: string]: unknown })[key]);
    expect(seen.sort()).toEqual(taken);
  });

  it('counts changes of spec for kinds that have a generation', () => {
    const old = created(deployment());
    expect(old.metadata.generation).toBe(1);
    const changed = { ...old, spec: { ...(old.spec as object), replicas: 5 } };
    expect(kindOf(old).bumpsGeneration(changed, old)).toBe(true);
    expect(kindOf(old).bumpsGeneration({ ...old, metadata: { name: 'x' } }, old)).toBe(false);
    const map = created({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
    expect(kindOf(map).bumpsGeneration({ ...map, data: { k: 'v' } }, map)).toBe(false);
  });

  it('counts changed annotations of a Deployment, which go on to its ReplicaSets', () => {
    const old = created(deployment());
    const noted = (annotations: { [name: string]: string }) => ({ ...old, metadata: { ...old.metadata, annotations } });
    expect(kindOf(old).bumpsGeneration(noted({ note: 'x' }), old)).toBe(true);
    expect(kindOf(old).bumpsGeneration(noted({}), old)).toBe(false);
    const map = created({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'a' },
      spec: {},
    });
    const annotated = { ...map, metadata: { ...map.metadata, annotations: { note: 'x' } } };
    expect(kindOf(map).bumpsGeneration(annotated, map)).toBe(false);
  });
});

describe('validation', () => {
  it.each<[string, object, string[]]>([
    ['a pod without containers', pod({}), ['spec.containers: Required value']],
    [
      'a mount of nothing',
      pod({ containers: [{ name: 'a', image: 'i', volumeMounts: [{ name: 'none', mountPath: '/x' }] }] }),
      ['spec.containers[0].volumeMounts[0].name: Not found: "none"'],
    ],
    [
      'a request above its limit',
      pod({ containers: [{ name: 'a', image: 'i', resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }] }),
      ['spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'],
    ],
    [
      'a selector that does not fit',
      deployment({ selector: { matchLabels: { x: 'y' } } }),
      ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
    ],
    [
      'a schedule that is none',
      {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'c' },
        spec: {
          schedule: '* * *',
          jobTemplate: { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
        },
      },
      ['spec.schedule: Invalid value: "* * *": expected exactly 5 fields, found 3: [* * *]'],
    ],
    [
      'a key that is no file name',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { 'a/b': 'x' } },
      [
        "data[a/b]: Invalid value: \"a/b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      ],
    ],
  ])('refuses %s', (_name, object, wanted) => {
    expect(faultsOf(object)).toEqual(wanted);
  });

  it.each<[string, object, (spec: Record<string, unknown>) => void, RegExp]>([
    [
      'the selector of a Deployment',
      deployment(),
      (spec) => (spec.selector = { matchLabels: { app: 'x' } }),
      /field is immutable/,
    ],
    [
      'the command of a pod',
      pod(podSpec),
      (spec) => (spec.containers = [{ name: 'app', image: 'i', command: ['x'] }]),
      /pod updates may not change/,
    ],
    ['the containers of a pod', pod(podSpec), (spec) => (spec.containers = []), /may not add or remove containers/],
  ])('holds fast %s', (_name, object, change, message) => {
    const old = created(object);
    const next = structuredClone(old);
    change(next.spec as Record<string, unknown>);
    const texts = kindOf(old)
      .validateUpdate(next, old, context)
      .map((fault) => fault.message);
    expect(texts.some((text) => message.test(text))).toBe(true);
    expect(kindOf(old).validateUpdate(structuredClone(old), old, context)).toEqual([]);
  });
});
