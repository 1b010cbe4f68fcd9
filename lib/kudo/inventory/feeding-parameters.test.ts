import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { feedingParameters } from './feeding-parameters';
import { managingInstance } from './managing-instance';

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Name }}-web
spec:
  replicas: {{ .Params.NODES }}
  template:
    spec:
      containers:
        - name: web
          image: "web:{{ .Params.TAG }}"
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Name }}-worker
spec:
  replicas: {{ if eq .Params.WORKERS "" }}1{{ else }}{{ .Params.WORKERS }}{{ end }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .Name }}-web
spec:
  ports: [{port: {{ .Params.PORT }}}]
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Name }}-web
data:
  web.conf: |
    size = {{ .Params.SIZE }}
    {{- range .Params.HOSTS }}
    host: {{ . }}
    {{- end }}
  mode: {{ .Params.MODE }}
`;

const VERSION = {
  spec: {
    templates: { 'web.yaml': WEB, 'other.yaml': 'kind: Deployment\nspec: {paused: {{ .Params.OTHER }}}\n' },
    tasks: [
      { name: 'app', kind: 'Apply', spec: { resources: ['web.yaml'] } },
      { name: 'rest', kind: 'Apply', spec: { resources: ['other.yaml'] } },
    ],
    plans: {
      deploy: {
        phases: [
          { name: 'main', steps: [{ name: 'app', tasks: ['app'] }] },
          { name: 'end', steps: [{ name: 'rest', tasks: ['rest'] }] },
        ],
      },
    },
  },
};

function applied(kind: string, name: string): KubeObject {
  const annotations = { 'kudo.dev/plan': 'deploy', 'kudo.dev/phase': 'main', 'kudo.dev/step': 'app' };
  const labels = { 'kudo.dev/instance': 'shop', 'kudo.dev/operator': 'web' };
  return { apiVersion: 'apps/v1', kind, metadata: { name, namespace: 'demo', labels, annotations } };
}

function uses(object: KubeObject): string[] {
  const manager = managingInstance(object);
  if (manager === undefined) throw new Error('Nobody manages the object.');
  return feedingParameters(VERSION, object, manager).map(
    ({ parameter, template, line, key }) => `${template}:${line} ${key} ${parameter}`,
  );
}

describe('the Instance that manages an object', () => {
  it('is named by the labels and annotations of what a plan applied', () => {
    expect(managingInstance(applied('Deployment', 'shop-web'))).toEqual({
      namespace: 'demo',
      name: 'shop',
      operator: 'web',
      plan: 'deploy',
      phase: 'main',
      step: 'app',
    });
  });

  it('is none for a pod of its Deployment, which has the labels and that no plan applied', () => {
    const pod = applied('Pod', 'shop-web-1');
    expect(managingInstance({ ...pod, metadata: { ...pod.metadata, annotations: {} } })).toBeUndefined();
  });
});

describe('the parameters that feed an object', () => {
  it('are those of its own document, with file, line and key', () => {
    expect(uses(applied('Deployment', 'shop-web'))).toEqual(['web.yaml:6 replicas NODES', 'web.yaml:11 image TAG']);
    expect(uses(applied('Deployment', 'shop-worker'))).toEqual(['web.yaml:18 replicas WORKERS']);
    expect(uses(applied('Service', 'shop-web'))).toEqual(['web.yaml:25 ports PORT']);
  });

  it('belong to the key of a block of text', () => {
    expect(uses(applied('ConfigMap', 'shop-web'))).toEqual([
      'web.yaml:33 web.conf SIZE',
      'web.yaml:34 web.conf HOSTS',
      'web.yaml:37 mode MODE',
    ]);
  });

  it('are none for a kind or a name that the templates of its step cannot give', () => {
    expect(uses(applied('Secret', 'shop-web'))).toEqual([]);
    expect(uses(applied('Deployment', 'shop-other'))).toEqual([]);
  });
});
