import { expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { reversalByInstance } from '../self-heal/reversal';
import { changeTexts } from './change-texts';

const web = (replicas: number, metadata: object = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'prod', resourceVersion: '7', managedFields: [{ manager: 'x' }], ...metadata },
  spec: { replicas },
  status: { replicas },
});
const type = { group: 'apps', version: 'v1', resource: 'deployments' };
const change = { type, before: web(1), after: web(3), title: 'Scale Deployment web to 3' };

it('a change is a command, a patch, a manifest without what the server wrote, and a pull request that says where', () => {
  const source: KubeObject = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop' },
    spec: { source: { repoURL: 'https://git.example/shop', path: 'apps/web', targetRevision: 'main' } },
  };
  const texts = changeTexts(change, { tool: { tool: 'argocd', name: 'shop', namespace: '' }, source });
  expect(texts.kubectl).toBe(`kubectl patch deployments.apps web -n prod --type merge -p '{"spec":{"replicas":3}}'`);
  expect(texts.patch).toContain('spec:\n  replicas: 3\n');
  expect(texts.manifest).toBe(
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: prod\nspec:\n  replicas: 3\n',
  );
  expect(texts.fileName).toBe('deployment-web.yaml');
  expect(texts.pullRequest).toBe(
    `# Scale Deployment web to 3

Object: Deployment \`web\` in namespace \`prod\`.

Argo CD (Application shop) applies it from https://git.example/shop, path \`apps/web\`, revision \`main\`.

The manifest of the cluster, before and after:

\`\`\`diff
--- a/deployment-web.yaml
+++ b/deployment-web.yaml
@@ -3,5 +3,5 @@
 metadata:
   name: web
   namespace: prod
 spec:
-  replicas: 1
+  replicas: 3
\`\`\`
`,
  );
});

it('a patch of a cluster-scoped object names no namespace, and a difference with backquotes has a longer fence', () => {
  const node = (note: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n', annotations: { note } },
  });
  const nodes = { group: '', version: 'v1', resource: 'nodes' };
  const texts = changeTexts({ type: nodes, before: node('a'), after: node('```'), title: 'T' }, undefined);
  expect(texts.kubectl).toMatch(/^kubectl patch nodes n --type merge/);
  expect(texts.pullRequest).toContain('````diff');
});

it('an Instance reverts what its templates set, and with self-heal within seconds', () => {
  const applied = { 'kudo.dev/last-applied-configuration': JSON.stringify({ spec: { replicas: 1 } }) };
  const object = web(1, { annotations: applied });
  const when = (selfHeal: 'on' | 'paused' | 'off', ...field: string[]) =>
    reversalByInstance({ name: 'orders', selfHeal }, object, [field]).when;
  expect(when('on', 'spec', 'replicas')).toBe('soon');
  expect(when('paused', 'spec', 'replicas')).toBe('later');
  expect(when('off', 'spec', 'replicas')).toBe('later');
  expect(when('on', 'spec', 'paused')).toBe('stays');
});
