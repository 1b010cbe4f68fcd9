import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import type { ClosableApi } from '@/server/kube/http-api';
import { createInstance, createOperator, eventually, patchInstance, planEnds } from '@/test/engine/https-engine';

export const INSTANCE = 'greeting';
const MAPS = { group: '', version: 'v1', resource: 'configmaps' };

/** Objects that need no image, so that the cluster needs no registry. */
const SPEC = {
  version: '1.0.0',
  parameters: [
    { name: 'GREETING', default: 'hello', required: true, trigger: 'update' },
    { name: 'FIXED', default: 'as installed', immutable: true },
  ],
  templates: {
    'map.yaml':
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ .Name }}'}\ndata: {greeting: '{{ .Params.GREETING }}'}\n",
    'role.yaml':
      "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: '{{ .Name }}'}\nrules: [{apiGroups: [''], resources: [configmaps], verbs: [get]}]\n",
  },
  tasks: [
    { name: 'all', kind: 'Apply', spec: { resources: ['map.yaml', 'role.yaml'] } },
    { name: 'map', kind: 'Apply', spec: { resources: ['map.yaml'] } },
  ],
  plans: { deploy: planOf('all'), update: planOf('map') },
} satisfies OperatorVersionSpec;

function planOf(task: string) {
  return {
    strategy: 'serial',
    phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'main', tasks: [task] }] }],
  };
}

/** Installs an operator and waits for its plan `deploy`. */
export async function deploy(api: ClosableApi, namespace: string): Promise<void> {
  await createInstance(api, namespace, INSTANCE, await createOperator(api, namespace, 'greeting', SPEC));
  await planEnds(api, namespace, INSTANCE, { plan: 'deploy' });
  await greetingIs(api, namespace, 'hello');
}

/** Edits a parameter and waits for the plan that it triggers. */
export async function update(api: ClosableApi, namespace: string): Promise<void> {
  await patchInstance(api, namespace, INSTANCE, { parameters: { GREETING: 'good morning' } });
  await planEnds(api, namespace, INSTANCE, { plan: 'update' });
  await greetingIs(api, namespace, 'good morning');
}

/** Deletes the Instance, and waits until what it owned was garbage-collected. */
export async function uninstall(api: ClosableApi, namespace: string): Promise<void> {
  await api.delete({ ...INSTANCES, namespace, name: INSTANCE });
  const target = { ...MAPS, namespace, name: INSTANCE };
  await eventually('the ConfigMap was deleted', async () => (await api.get(target)) === undefined, 120_000);
}

async function greetingIs(api: ClosableApi, namespace: string, text: string): Promise<void> {
  await eventually(`ConfigMap ${INSTANCE} says ${text}`, async () => {
    const map = await api.get({ ...MAPS, namespace, name: INSTANCE });
    return (map?.data as { greeting?: string } | undefined)?.greeting === text;
  });
}
