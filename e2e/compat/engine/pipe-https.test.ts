import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringAt } from '@/lib/json/json';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { plan, task } from '@/test/operators/templates';

let engine: Engine;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine?.stop());

const pod = `apiVersion: v1
kind: Pod
metadata: {}
spec:
  volumes: [{name: out, emptyDir: {}}]
  initContainers:
  - name: make
    image: busybox
    command: [sh, -c, "echo hello > /out/foo.txt; echo lives=3 > /out/env"]
    volumeMounts: [{name: out, mountPath: /out}]
`;

it('PIP-17 PIP-20 PIP-24 copies what a container wrote, over HTTPS and an exec stream of the pod', async () => {
  await createNamespace(engine.api, 'pipe');
  const version = await createOperator(engine.api, 'pipe', 'pipe', {
    templates: { 'pod.yaml': pod },
    tasks: [
      task('gen', 'Pipe', {
        pod: 'pod.yaml',
        pipe: [
          { file: '/out/foo.txt', kind: 'Secret', key: 'foo' },
          { envFile: '/out/env', kind: 'ConfigMap', key: 'env' },
        ],
      }),
    ],
    plans: { deploy: plan(['run', 'gen']) },
  });
  await createInstance(engine.api, 'pipe', 'pipe', version);
  await planEnds(engine.api, 'pipe', 'pipe', { plan: 'deploy' });
  const core = { group: '', version: 'v1', namespace: 'pipe' };
  const secret = await engine.api.get({ ...core, resource: 'secrets', name: 'pipe.deploy.main.run.gen.foo' });
  const env = await engine.api.get({ ...core, resource: 'configmaps', name: 'pipe.deploy.main.run.gen.env' });
  expect(Buffer.from(stringAt(secret, 'data', 'foo.txt') ?? '', 'base64').toString()).toBe('hello\n');
  expect(env?.data).toEqual({ lives: '3' });
});
