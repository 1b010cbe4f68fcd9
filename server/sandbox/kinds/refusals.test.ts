import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { resources } from '../workloads/core/resources';
import { TestCluster } from '../workloads/test-cluster';
import type { Faults } from './kind-rules';
import { validateIngress } from './network/validate-ingress';
import { validatePodUpdate } from './pods/validate-pod-update';
import { validateVolumeUpdate } from './storage/validate';
import { validateRevisionUpdate } from './workloads/validate-revision';

const networking = (resource: string) => ({ group: 'networking.k8s.io', version: 'v1', resource });
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const set = { serviceName: 's', selector: { matchLabels: { a: 'b' } }, template };
const job = { spec: { template: { spec: { restartPolicy: 'Never', containers: template.spec.containers } } } };
const cron = { schedule: '1 1 * * *', jobTemplate: job };

/** Texts as kube-apiserver words them. */
describe('what is refused', () => {
  it.each([
    [
      'a zone',
      resources.cronjobs,
      { ...cron, timeZone: 'Zap' },
      'spec.timeZone: Invalid value: "Zap": unknown time zone Zap',
    ],
    ['no zone', resources.cronjobs, { ...cron, timeZone: '' }, 'timeZone must be nil or non-empty string'],
    [
      'a first ordinal',
      resources.statefulsets,
      { ...set, ordinals: { start: -1 } },
      'spec.ordinals.start: Invalid value: -1',
    ],
    [
      'what becomes of claims',
      resources.statefulsets,
      { ...set, persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Burn', whenScaled: 'Retain' } },
      'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Burn": supported values: "Retain", "Delete"',
    ],
  ])('%s', (_what, resource, spec, text) => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    expect(() => cluster.create(resource, { metadata: { name: 'x', namespace: 'demo' }, spec })).toThrow(text);
  });

  const file = (items: object[]) => ({ name: 'v', projected: { sources: [{ downwardAPI: { items } }] } });
  const label = { path: 'l', fieldRef: { fieldPath: 'metadata.labels' } };
  const container = (more: object) => ({ containers: [{ name: 'c', image: 'i', ...more }] });
  const env = (secretKeyRef: object) => container({ env: [{ name: 'A', valueFrom: { secretKeyRef } }] });
  const affinity = (topologyKey: string) => ({
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey }] } },
  });
  const spread = { maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' };
  const onNode = (operator: string, values: string[]) => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator, values }] }],
        },
      },
    },
  });
  it.each<[string, object, string]>([
    [
      'a file without a key',
      { volumes: [{ name: 'v', configMap: { name: 'x', items: [{ path: 'p' }] } }] },
      'spec.volumes[0].configMap.items[0].key: Required value',
    ],
    [
      'a file without a path',
      { volumes: [{ name: 'v', secret: { secretName: 'x', items: [{ key: 'k' }] } }] },
      'spec.volumes[0].secret.items[0].path: Required value',
    ],
    [
      'a file above the volume',
      { volumes: [{ name: 'v', secret: { secretName: 'x', items: [{ key: 'k', path: '../p' }] } }] },
      'spec.volumes[0].secret.items[0].path: Invalid value: "../p": must not contain \'..\'',
    ],
    [
      'a mode',
      { volumes: [{ name: 'v', configMap: { name: 'x', defaultMode: 512 } }] },
      'spec.volumes[0].configMap.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
    ],
    [
      'a file of no field',
      { volumes: [file([{ path: 'l' }])] },
      'spec.volumes[0].projected.sources[0].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
    ],
    [
      'a file of a strange field',
      { volumes: [file([{ path: 'l', fieldRef: { fieldPath: 'Bad!' } }])] },
      'downwardAPI.fieldRef.fieldPath: Invalid value: "Bad!": error converting fieldPath: field label not supported: Bad!',
    ],
    [
      'two files of one path',
      { volumes: [file([label, label])] },
      'spec.volumes[0].projected: Invalid value: "l": conflicting duplicate paths',
    ],
    [
      'a token for a minute',
      {
        volumes: [
          { name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 60 } }] } },
        ],
      },
      'serviceAccountToken.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes',
    ],
    [
      'the name of a Secret',
      env({ name: 'Bad!', key: 'k' }),
      'spec.containers[0].env[0].valueFrom.secretKeyRef.name: Invalid value: "Bad!": a lowercase RFC 1123 subdomain',
    ],
    [
      'a key of a Secret',
      env({ name: 's', key: 'Bad!' }),
      'spec.containers[0].env[0].valueFrom.secretKeyRef.key: Invalid value: "Bad!": a valid config key',
    ],
    [
      'a user',
      container({ securityContext: { runAsUser: -1 } }),
      'spec.containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    ],
    ['a group', { securityContext: { fsGroup: -1 } }, 'spec.securityContext.fsGroup: Invalid value: -1'],
    [
      'a tolerated taint',
      { tolerations: [{ key: 'Bad!', operator: 'Exists' }] },
      'spec.tolerations[0].key: Invalid value: "Bad!": name part must consist',
    ],
    [
      'a topology',
      affinity('Bad!'),
      'requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: "Bad!": name part must',
    ],
    [
      'one spread twice',
      { topologySpreadConstraints: [spread, spread] },
      'spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{z, DoNotSchedule}"',
    ],
    [
      'no value for a node',
      onNode('In', []),
      "matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
    [
      'a value for any node',
      onNode('Exists', ['b']),
      "matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    ],
    [
      'the name of a host',
      { hostAliases: [{ ip: '1.2.3.4', hostnames: ['Bad!'] }] },
      'spec.hostAliases.hostnames: Invalid value: "Bad!": a lowercase RFC 1123 subdomain',
    ],
  ])('%s of a pod', (_what, spec, text) => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    const pod = { metadata: { name: 'x', namespace: 'demo' }, spec: { ...template.spec, ...spec } };
    expect(() => cluster.create(resources.pods, pod)).toThrow(text);
  });

  it('versions of a review that stand there twice, and empty names in rules', () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    const rule = { apiGroups: ['a.b'], apiVersions: [''], resources: [''], operations: ['CREATE'] };
    const webhook = { name: 'a.b.c', admissionReviewVersions: ['v1', 'v1'], sideEffects: 'None', rules: [rule] };
    const object = { metadata: { name: 'x' }, webhooks: [{ ...webhook, clientConfig: { url: 'https://a.b' } }] };
    const place = { group: 'admissionregistration.k8s.io', version: 'v1', resource: 'mutatingwebhookconfigurations' };
    expect(() => cluster.create(place, object)).toThrow(
      'webhooks[0].admissionReviewVersions[1]: Invalid value: "v1": duplicate version, webhooks[0].rules[0].apiVersions[0]: Required value, webhooks[0].rules[0].resources[0]: Required value',
    );
  });

  it('the port of the Service of a webhook', () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    const clientConfig = { service: { namespace: 'x', name: 'y', port: 70_000 } };
    const webhook = { name: 'a.b.c', admissionReviewVersions: ['v1'], sideEffects: 'None', clientConfig };
    const place = { group: 'admissionregistration.k8s.io', version: 'v1', resource: 'mutatingwebhookconfigurations' };
    expect(() => cluster.create(place, { metadata: { name: 'x' }, webhooks: [webhook] })).toThrow(
      'webhooks[0].clientConfig.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive',
    );
  });

  it('a revision below zero, and one without data', () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    const place = { group: 'apps', version: 'v1', resource: 'controllerrevisions' };
    expect(() => cluster.create(place, { metadata: { name: 'x', namespace: 'demo' }, revision: -1 })).toThrow(
      '[revision: Invalid value: -1: must be greater than or equal to 0, data: Required value: data is mandatory]',
    );
  });

  it('a provisioner and a Secret of TLS that are no names', () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    const classes = { group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' };
    expect(() => cluster.create(classes, { metadata: { name: 'x' }, provisioner: 'Bad!' })).toThrow(
      'provisioner: Invalid value: "Bad!": name part must consist',
    );
    const spec = { defaultBackend: { service: { name: 's', port: { number: 80 } } }, tls: [{ secretName: 'Bad!' }] };
    expect(() => cluster.create(networking('ingresses'), { metadata: { name: 'x', namespace: 'demo' }, spec })).toThrow(
      'spec.tls[0].secretName: Invalid value: "Bad!"',
    );
  });

  it('a controller of an IngressClass without a domain', () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    const create = (controller: string) => () =>
      cluster.create(networking('ingressclasses'), { metadata: { name: 'x' }, spec: { controller } });
    expect(create('mine')).toThrow('must be a domain-prefixed path (such as "acme.io/foo")');
    expect(create('example.org/mine')).not.toThrow();
  });

  it('an Event as an owner', () => {
    const cluster = new TestCluster({ mode: 'no-pods' });
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u' }];
    expect(() =>
      cluster.create(resources.configmaps, { metadata: { name: 'x', namespace: 'demo', ownerReferences } }),
    ).toThrow('/v1, Kind=Event is disallowed from being an owner');
  });

  it('an update of a pod that takes a toleration away, but not one that changes for how long', () => {
    const toleration = { key: 'a', operator: 'Exists', effect: 'NoExecute' };
    const pod = (tolerations: JsonObject[]) => ({ spec: { containers: [{ name: 'c', image: 'i' }], tolerations } });
    const faultsOf = (tolerations: JsonObject[]) => {
      const faults: Faults = [];
      validatePodUpdate(pod(tolerations), pod([{ ...toleration, tolerationSeconds: 5 }]), faults);
      return faults.map(({ message }) => message);
    };
    expect(faultsOf([{ ...toleration, tolerationSeconds: 1 }])).toEqual([]);
    expect(faultsOf([])).toEqual(['Forbidden: existing toleration can not be modified except its tolerationSeconds']);
  });

  it('another place of a volume, other data of a revision, and an Ingress of a class without a name', () => {
    const place = (name: string) => ({
      spec: { nodeAffinity: { required: { nodeSelectorTerms: [{ matchFields: [{ key: name }] }] } } },
    });
    const faults: Faults = [];
    validateVolumeUpdate(place('a'), { spec: {} }, faults);
    validateVolumeUpdate(place('a'), place('a'), faults);
    validateRevisionUpdate({ data: { a: 1 } }, { data: { a: 1 } }, faults);
    expect(faults).toEqual([]);
    validateVolumeUpdate(place('b'), place('a'), faults);
    validateRevisionUpdate({ data: { a: 2 } }, { data: { a: 1 } }, faults);
    validateIngress({ spec: { ingressClassName: '', defaultBackend: { resource: { kind: 'K', name: 'n' } } } }, faults);
    expect(faults.map(({ field }) => field)).toEqual(['nodeAffinity', 'data', 'spec.ingressClassName']);
  });
});
