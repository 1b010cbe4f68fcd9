import { describe, expect, it } from 'vitest';
import { arrayAt, getAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { installationSteps } from './manifests';
import type { InstallationOptions } from './options';

const options: InstallationOptions = {
  namespace: 'kudo-system',
  image: 'registry.test/bravo:1',
  imagePullPolicy: 'IfNotPresent',
  serviceAccount: 'kudo-manager',
  controllerRole: 'narrow',
  console: { signIn: 'token', url: 'https://bravo.example.org', mayImpersonate: false },
  namespaces: [],
};
const objectsOf = (more: Partial<InstallationOptions> = {}): KubeObject[] =>
  installationSteps({ ...options, ...more }).flatMap(({ objects }) => [...objects]);
const titles = (objects: readonly KubeObject[]) =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`);
const deployments = objectsOf().filter(({ kind }) => kind === 'Deployment');
const rulesOf = (objects: readonly KubeObject[]) => objects.flatMap((object) => [...arrayAt(object, 'rules')]);

describe.each(deployments.map((object) => [object.metadata.name, object] as const))(
  'Deployment %s',
  (_name, object) => {
    const pod = objectAt(object, 'spec', 'template', 'spec');
    const container = objectAt(pod, 'containers', 0);

    it('is what Pod Security "restricted" admits, with a read-only root file system', () => {
      expect(pod.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        readOnlyRootFilesystem: true,
      });
      expect(['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => field in pod)).toEqual([]);
      const volumes = arrayAt(pod, 'volumes').flatMap((volume) => Object.keys(objectAt(volume)));
      expect(volumes.filter((field) => !['name', 'emptyDir', 'secret'].includes(field))).toEqual([]);
    });

    it('has two replicas, probes at ports that it declares, and requests and limits', () => {
      expect(getAt(object, 'spec', 'replicas')).toBe(2);
      const ports = arrayAt(container, 'ports').map((port) => stringAt(port, 'name'));
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        expect(ports).toContain(stringAt(container, probe, 'httpGet', 'port'));
      }
      for (const kind of ['requests', 'limits']) {
        expect(Object.keys(objectAt(container, 'resources', kind))).toEqual(['cpu', 'memory']);
      }
    });

    it('has a budget, a network policy and a Service that select its pods', () => {
      const labels = getAt(object, 'spec', 'template', 'metadata', 'labels');
      const of = (kind: string) => objectsOf().filter((each) => each.kind === kind);
      expect(of('PodDisruptionBudget').map((each) => getAt(each, 'spec', 'selector', 'matchLabels'))).toContainEqual(
        labels,
      );
      expect(of('NetworkPolicy').map((each) => getAt(each, 'spec', 'podSelector', 'matchLabels'))).toContainEqual(
        labels,
      );
      expect(of('Service').map((each) => getAt(each, 'spec', 'selector'))).toContainEqual(labels);
    });
  },
);

describe('rights', () => {
  it('are neither wildcards nor ways to more rights', () => {
    const rules = rulesOf(objectsOf());
    expect(JSON.stringify(rules)).not.toMatch(/"\*"|"escalate"|"bind"|"impersonate"/);
  });

  it('of the console are to read, and to write the keys of its sessions', () => {
    const roles = objectsOf().filter(({ kind, metadata }) => /Role$/.test(kind) && /console/.test(metadata.name ?? ''));
    const writes = rulesOf(roles).filter((rule) =>
      /create|update|patch|delete/.test(JSON.stringify(arrayAt(rule, 'verbs'))),
    );
    expect(writes).toEqual([
      { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
      {
        apiGroups: [''],
        resources: ['secrets'],
        verbs: ['get', 'update', 'patch'],
        resourceNames: expect.arrayContaining(['bravo-session-keys']),
      },
    ]);
    expect(
      JSON.stringify(rulesOf(roles.filter(({ metadata }) => metadata.name === 'bravo-console-watch'))),
    ).not.toContain('secrets');
  });

  it('to impersonate come only when they are asked for', () => {
    const console = { signIn: 'proxy', url: undefined, mayImpersonate: true } as const;
    expect(titles(objectsOf({ console }))).toContain('ClusterRole /bravo-console-impersonate');
    expect(titles(objectsOf())).not.toContain('ClusterRole /bravo-console-impersonate');
  });

  it('with cluster-admin are a binding alone', () => {
    const names = titles(objectsOf({ controllerRole: 'cluster-admin', console: undefined }));
    expect(names).toContain('ClusterRoleBinding /kudo-manager-rolebinding');
    expect(names.filter((name) => name.includes('bravo-controller'))).toEqual([]);
  });
});

describe('an installation with shards', () => {
  it('starts every controller with their number', () => {
    const deployment = objectsOf({ controllerReplicas: 4, shards: 16, console: undefined }).find(
      ({ kind }) => kind === 'Deployment',
    );
    expect(getAt(deployment, 'spec', 'replicas')).toBe(4);
    expect(JSON.stringify(deployment)).toContain('{"name":"BRAVO_SHARDS","value":"16"}');
  });
});

describe('an installation for some namespaces', () => {
  const objects = objectsOf({ namespaces: ['a', 'b'] });

  it('has nothing cluster-scoped, and no webhook', () => {
    expect(objects.filter(({ metadata }) => metadata.namespace === undefined)).toEqual([]);
    expect(JSON.stringify(objects)).toContain('{"name":"BRAVO_WEBHOOK","value":"off"}');
  });

  it('gives both accounts a Role in each of them', () => {
    for (const role of ['bravo-controller', 'bravo-console-watch']) {
      expect(titles(objects)).toEqual(expect.arrayContaining([`Role a/${role}`, `RoleBinding b/${role}`]));
    }
  });
});
