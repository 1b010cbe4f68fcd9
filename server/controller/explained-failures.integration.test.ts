import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { DEADLINES_ANNOTATION } from '@/lib/kudo/plan/deadlines';
import type { FailureCause, FailureExplanation } from '@/lib/kudo/runs/failure-explanation';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { KUDO_API_VERSION, type OperatorVersionSpec } from '@/lib/kudo/types';
import { explainRun } from '@/server/runs/explain-run';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine, type VirtualEngineOptions } from '@/test/engine/virtual-engine';
import {
  apply,
  configMap,
  deployment,
  job,
  oneStep,
  plan,
  pond,
  remove,
  statefulSet,
} from '@/test/operators/templates';

/** The one step `run`, which applies one template. */
const applies = (text: string): OperatorVersionSpec =>
  oneStep([apply('all', 'all.yaml')], { templates: { 'all.yaml': text } });

function useLab(namespace: string, options: VirtualEngineOptions = {}) {
  const at: { engine?: VirtualEngine; lab?: Lab } = {};
  beforeAll(async () => {
    at.engine = await startVirtualEngine(options);
    at.lab = await Lab.open(at.engine, namespace);
    await at.engine.startController();
  });
  afterAll(() => at.engine?.stop());
  return () => {
    if (at.lab === undefined) throw new Error('the engine has not started');
    return at.lab;
  };
}

/** What `bravo run explain` says of the first run, when it says this cause. */
async function explained(lab: Lab, name: string, cause: FailureCause): Promise<FailureExplanation> {
  const run = () => lab.find('planruns', `${name}-deploy-1`) as PlanRun;
  let found: FailureExplanation | undefined;
  // Every plan in progress is looked at within a minute.
  for (let minute = 0; minute < 10; minute++) {
    await lab.engine.pass(61_000);
    if (run() === undefined) continue;
    found = await lab.engine.run(explainRun(lab.engine.people, run()));
    if (found?.cause === cause) return found;
  }
  throw new Error(`${name} is never explained by ${cause}, but by ${JSON.stringify(found)}`);
}

/** Begins the deploy plan of an Instance. */
async function begin(lab: Lab, name: string, spec: OperatorVersionSpec, metadata: JsonObject = {}): Promise<void> {
  await lab.create(name, await lab.operator(name, spec), {}, metadata);
}

/** An event as the controllers of a cluster write it. */
async function warn(lab: Lab, about: KubeObject, reason: string, message: string): Promise<void> {
  const { name = '', uid = '' } = about.metadata;
  const { namespace } = lab;
  const now = '2026-01-01T00:00:00Z';
  await lab.put('events', {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { generateName: `${name}.` },
    involvedObject: { apiVersion: about.apiVersion, kind: about.kind, name, namespace, uid },
    ...{ type: 'Warning', reason, message, firstTimestamp: now, lastTimestamp: now, count: 4 },
  });
}

const kinds = ({ chain }: FailureExplanation) => chain.map(({ kind }) => kind).join(' ');

describe('failures that the sandbox makes itself', () => {
  const at = useLab('made');

  it('image pull', async () => {
    await begin(at(), 'pull', applies(deployment('pull', { image: 'registry.example/nonexistent:1' })));
    const found = await explained(at(), 'pull', 'image-pull');
    expect(found.headline).toBe(
      'Step run of phase main in plan deploy waits: Image registry.example/nonexistent:1 cannot be pulled.',
    );
    expect(found.paragraph).toContain('of Deployment pull (');
    expect(found.paragraph).toContain('The event Failed says: Failed to pull image "registry.example/nonexistent:1"');
    expect(kinds(found)).toBe('step object pod event');
  });

  it('crash loop, with the line of the log', async () => {
    const crashing = deployment('crash').replace(
      '{name: main, image: nginx}',
      '{name: main, image: busybox, command: [sh, -c, "echo FATAL: role app does not exist; exit 3"]}',
    );
    await begin(at(), 'crash', applies(crashing));
    const found = await explained(at(), 'crash', 'crash-loop');
    expect(found.paragraph).toContain('Container main exited with code 3.');
    expect(found.paragraph).toContain('Its log says: FATAL: role app does not exist. Correct what this line names');
    expect(found.paragraph).toContain('of Deployment crash (CrashLoopBackOff)');
    expect(kinds(found)).toMatch(/^step object pod (event )?log$/);
  });

  it('a Job that failed, in the record, and in the status of the run', async () => {
    await at().deploy(
      'load',
      applies(job('load', 'echo table 7 is broken; exit 3', '  backoffLimit: 0\n')),
      {},
      {
        status: 'FATAL_ERROR',
      },
    );
    const found = await explained(at(), 'load', 'job-failed');
    const sentence =
      'Step run of phase main in plan deploy failed: Job load failed: container main exited with code 3.';
    expect(found.headline).toBe(sentence);
    expect(found.paragraph).toContain('Its log says: table 7 is broken.');
    expect(found.paragraph).toContain('Then run plan deploy again.');
    expect(at().runs('load')[0]?.status?.message).toBe(sentence);
    expect(at().stepNow('load', 'deploy.main.run')?.message).toContain('BackoffLimitExceeded');
  });

  it('a missing Secret in the environment, and one in a volume', async () => {
    const withEnv = deployment('env').replace(
      '{name: main, image: nginx}',
      '{name: main, image: nginx, env: [{name: A, valueFrom: {secretKeyRef: {name: login, key: password}}}]}',
    );
    await begin(at(), 'env', applies(withEnv));
    const found = await explained(at(), 'env', 'missing-secret');
    expect(found.paragraph).toContain('Secret login does not exist, and a container needs it.');
    expect(found.advice).toContain('Create Secret login, or correct its name in the parameters.');
    const volume = '      volumes: [{name: tls, secret: {secretName: certs}}]\n';
    await begin(at(), 'mount', applies(deployment('mount', { podSpec: volume })));
    const mounted = await explained(at(), 'mount', 'missing-secret');
    expect(mounted.paragraph).toContain('Secret certs does not exist');
    expect(mounted.paragraph).toContain('The event FailedMount says: MountVolume.SetUp failed for volume "tls"');
  });

  it('unschedulable', async () => {
    const pods = { podSpec: '      nodeSelector: {disk: ssd}\n' };
    await begin(at(), 'nowhere', applies(deployment('nowhere', pods)));
    const found = await explained(at(), 'nowhere', 'unschedulable');
    expect(found.paragraph).toContain(
      "No node can run the pod: 0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.",
    );
  });

  it('a claim without a volume', async () => {
    const claims =
      '  volumeClaimTemplates: [{metadata: {name: data}, spec: {storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]\n';
    await begin(at(), 'disk', applies(statefulSet('disk', { spec: claims })));
    const found = await explained(at(), 'disk', 'claim-pending');
    expect(found.paragraph).toContain(
      'PersistentVolumeClaim data-disk-0 of storage class fast has no volume: storageclass.storage.k8s.io "fast" not found.',
    );
    expect(found.chain.find(({ kind }) => kind === 'event')?.text).toContain('ProvisioningFailed');
  });

  it('a finalizer that nobody removes', async () => {
    const held = configMap('old', '{value: one}', '  finalizers: [example.org/guard]\n');
    const tasks = [apply('all', 'all.yaml'), remove('gone', 'all.yaml')];
    await begin(at(), 'held', {
      tasks,
      templates: { 'all.yaml': held },
      plans: { deploy: plan(['make', 'all'], ['drop', 'gone']) },
    });
    const found = await explained(at(), 'held', 'finalizer');
    expect(found.headline).toBe(
      'Step drop of phase main in plan deploy waits: ConfigMap old cannot be deleted while its finalizer example.org/guard is set.',
    );
    expect(kinds(found)).toBe('step object');
  });

  it('a template error', async () => {
    await at().deploy('tmpl', applies(configMap('c', '{value: "{{ .Params.NOPE }}"}')), {}, { status: 'FATAL_ERROR' });
    const found = await explained(at(), 'tmpl', 'template-error');
    expect(found.headline).toContain('failed: Template all.yaml cannot be rendered: template: all.yaml:5:');
    expect(found.paragraph).toContain('NOPE');
    expect(found.advice).toContain('Correct the template of the operator, or the parameters that it uses.');
  });

  it('a wrong API version', async () => {
    await at().deploy('kind', applies(pond('p', '{}')), {}, { status: 'FATAL_ERROR' });
    const found = await explained(at(), 'kind', 'wrong-api-version');
    expect(found.headline).toBe(
      'Step run of phase main in plan deploy failed: The cluster does not serve the kind Pond in lab.example.org/v1.',
    );
  });

  it('a deadline that passed for no other reason, and one with a reason', async () => {
    const slow = applies(job('slow', 'sleep 3600'));
    const limit = { annotations: { [DEADLINES_ANNOTATION]: 'deploy.main.run=30s' } };
    await begin(at(), 'slow', slow, limit);
    const found = await explained(at(), 'slow', 'deadline');
    expect(found.headline).toBe(
      'Step run of phase main in plan deploy failed at its deadline of 30s: The deadline of 30s passed, and it waited in vain for Job slow: 0 of 1 completed.',
    );
    expect(found.advice).toContain('allow more time for deploy.main.run with the annotation bravo.kudo.dev/deadlines');
    await begin(at(), 'late', applies(deployment('late', { image: 'nonexistent' })), limit);
    await at().ends('late', 'deploy', { status: 'FATAL_ERROR' });
    const late = await explained(at(), 'late', 'image-pull');
    expect(late.headline).toContain('failed at its deadline of 30s: Image nonexistent cannot be pulled.');
  });

  it('permissions that the controller does not have', async () => {
    const user = 'system:serviceaccount:bravo:controller';
    const message = `deployments.apps is forbidden: User "${user}" cannot create resource "deployments" in API group "apps" in the namespace "made"`;
    at().engine.refuse(({ method, path }) => {
      return method === 'POST' && path.includes('/deployments') ? { code: 403, message } : undefined;
    });
    await begin(at(), 'rights', applies(deployment('rights')));
    const found = await explained(at(), 'rights', 'rbac');
    at().engine.refuse(undefined);
    expect(found.headline).toBe(
      `Step run of phase main in plan deploy is tried again: User ${user} has no permission to create deployments.apps in namespace made.`,
    );
    expect(found.advice).toContain('Grant the permission with a Role and a RoleBinding.');
  });

  it('shows no value of a secret parameter', async () => {
    const parameters = [{ name: 'PASSWORD', default: 'hunter2-text' }];
    const said = job('leak', 'echo login with {{ .Params.PASSWORD }} failed; exit 3', '  backoffLimit: 0\n');
    await at().deploy('leak', { ...applies(said), parameters }, {}, { status: 'FATAL_ERROR' });
    const found = await explained(at(), 'leak', 'job-failed');
    expect(found.paragraph).toMatch(/login with [0-9a-f]{8}:[0-9a-f]{32} failed/);
    expect(JSON.stringify([found, at().runs('leak')])).not.toContain('hunter2');
  });

  it('shows no value of a Secret that a parameter comes from, live and in the record', async () => {
    const lab = at();
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login-word' } };
    await lab.put('secrets', { ...secret, stringData: { word: 'hunter2-text' } });
    const parametersFrom = [{ name: 'WORD', secretKeyRef: { name: 'login-word', key: 'word' } }];
    const command = 'echo FATAL: {{ .Params.WORD }} is wrong; exit 3';
    const pods = deployment('quiet').replace(
      '{name: main, image: nginx}',
      `{name: main, image: busybox, command: [sh, -c, "${command}"]}`,
    );
    const templates = { quiet: pods, silent: job('silent', command, '  backoffLimit: 0\n') };
    for (const [name, text] of Object.entries(templates)) {
      const version = await lab.operator(name, { ...applies(text), parameters: [{ name: 'WORD' }] });
      await lab.put('instances', {
        ...{ apiVersion: KUDO_API_VERSION, kind: 'Instance' },
        metadata: { name, namespace: lab.namespace },
        spec: { operatorVersion: { name: version }, parametersFrom },
      });
    }
    const live = await explained(lab, 'quiet', 'crash-loop');
    const recorded = await explained(lab, 'silent', 'job-failed');
    expect(live.paragraph).toContain('FATAL: ‹secret› is wrong');
    expect(recorded.paragraph).toMatch(/FATAL: [0-9a-f]{8}:[0-9a-f]{32} is wrong/);
    expect(JSON.stringify([live, recorded, lab.runs('silent')])).not.toContain('hunter2');
  });
});

describe('failures that a test writes as a cluster has them', () => {
  const at = useLab('written', { mode: 'no-pods' });

  /** The pod of a Deployment, once the controllers of the sandbox have made it. */
  async function podOf(app: string): Promise<KubeObject> {
    const { engine, namespace } = at();
    const find = () =>
      engine.sandbox.api
        .list({ group: '', version: 'v1', resource: 'pods', namespace })
        .find(({ metadata }) => metadata.labels?.app === app);
    await engine.until(`a pod of ${app}`, () => find() !== undefined);
    return find() ?? { apiVersion: 'v1', kind: 'Pod', metadata: {} };
  }

  it('a readiness probe', async () => {
    await begin(at(), 'probe', applies(deployment('probe')));
    const pod = await podOf('probe');
    const running = { running: { startedAt: '2026-01-01T00:00:00Z' } };
    await at().patch(
      'pods',
      nameOf(pod),
      {
        status: {
          phase: 'Running',
          conditions: [
            { type: 'PodScheduled', status: 'True' },
            { type: 'Ready', status: 'False', reason: 'ContainersNotReady' },
          ],
          containerStatuses: [
            { name: 'main', ready: false, restartCount: 0, image: 'nginx', imageID: '', state: running },
          ],
        },
      },
      'status',
    );
    await warn(at(), pod, 'Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503');
    const found = await explained(at(), 'probe', 'probe');
    expect(found.paragraph).toContain(
      'The readiness probe of container main fails: HTTP probe failed with statuscode: 503.',
    );
    expect(found.paragraph).toContain(`It is pod ${nameOf(pod)} of Deployment probe.`);
  });

  it('out of memory', async () => {
    await begin(at(), 'oom', applies(deployment('oom')));
    const pod = await podOf('oom');
    const times = { startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T00:00:05Z' };
    await at().patch(
      'pods',
      nameOf(pod),
      {
        status: {
          phase: 'Running',
          containerStatuses: [
            {
              ...{ name: 'main', ready: false, restartCount: 3, image: 'nginx', imageID: '' },
              state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 40s restarting failed container' } },
              lastState: { terminated: { reason: 'OOMKilled', exitCode: 137, ...times } },
            },
          ],
        },
      },
      'status',
    );
    const found = await explained(at(), 'oom', 'out-of-memory');
    expect(found.paragraph).toContain('Container main was killed because it used more memory than its limit.');
    expect(found.advice).toContain('Raise the memory limit of the container');
  });
});

describe('pods that are never created', () => {
  const at = useLab('refused', { mode: 'no-controllers' });

  /** What the controllers of a cluster write: a ReplicaSet, the condition of its Deployment, and the event. */
  async function refusePods(name: string, words: string): Promise<string> {
    const { engine } = at();
    const message = `pods "${name}-7d9f-" is forbidden: ${words}`;
    await begin(at(), name, applies(deployment(name)));
    await engine.until(`Deployment ${name}`, () => at().find('deployments', name) !== undefined);
    const { spec, metadata } = at().find('deployments', name) ?? { metadata: {} };
    const { selector = {}, template = {} } = (spec ?? {}) as { selector?: JsonObject; template?: JsonObject };
    const { labels = {}, annotations = {} } = template.metadata as { labels?: JsonObject; annotations?: JsonObject };
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name, uid: metadata.uid ?? '', controller: true };
    const replicaSet = await at().put('replicasets', {
      ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet' },
      metadata: {
        name: `${name}-7d9f`,
        labels: labels as never,
        annotations: annotations as never,
        ownerReferences: [owner],
      },
      spec: { replicas: 1, selector, template },
    });
    const failure = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message };
    const status = { observedGeneration: metadata.generation ?? 1, unavailableReplicas: 1, conditions: [failure] };
    await at().patch('deployments', name, { status }, 'status');
    await warn(at(), replicaSet, 'FailedCreate', `Error creating: ${message}`);
    return message;
  }

  it('a quota', async () => {
    const words = 'exceeded quota: compute, requested: limits.cpu=2, used: limits.cpu=3, limited: limits.cpu=4';
    const message = await refusePods('quota', words);
    const found = await explained(at(), 'quota', 'quota');
    expect(found.headline).toBe(
      'Step run of phase main in plan deploy waits: ResourceQuota compute is exceeded: requested limits.cpu=2, used limits.cpu=3, limited to limits.cpu=4.',
    );
    expect(found.paragraph).toContain(`The event FailedCreate says: Error creating: ${message}.`);
    expect(found.advice).toContain('Raise ResourceQuota compute, or lower what the pods request.');
    expect(kinds(found)).toBe('step object event');
  });

  it('a ServiceAccount that does not exist', async () => {
    await refusePods('account', 'error looking up service account refused/runner: serviceaccount "runner" not found');
    const found = await explained(at(), 'account', 'rbac');
    expect(found.headline).toContain('waits: ServiceAccount runner of the pods does not exist.');
  });

  it('an admission webhook, in the event of a StatefulSet', async () => {
    await begin(at(), 'hook', applies(statefulSet('hook')));
    await at().engine.until('StatefulSet hook', () => at().find('statefulsets', 'hook') !== undefined);
    const made = at().find('statefulsets', 'hook') ?? { apiVersion: '', kind: '', metadata: {} };
    const words = 'admission webhook "policy.example.org" denied the request: images must come from registry.example';
    await at().patch('statefulsets', 'hook', { status: { observedGeneration: 1, replicas: 0 } }, 'status');
    const message = `create Pod hook-0 in StatefulSet hook failed error: ${words}`;
    await warn(at(), { ...made, apiVersion: 'apps/v1', kind: 'StatefulSet' }, 'FailedCreate', message);
    const found = await explained(at(), 'hook', 'webhook-refusal');
    expect(found.headline).toContain(
      'Admission webhook policy.example.org denied the request: images must come from registry.example.',
    );
    expect(kinds(found)).toBe('step object event');
  });

  it('an admission webhook that refuses what the step applies', async () => {
    const message = 'admission webhook "policy.example.org" denied the request: three replicas are too many';
    at().engine.refuse(({ method, path }) => {
      return method === 'POST' && path.includes('/deployments') ? { code: 403, message } : undefined;
    });
    await begin(at(), 'many', applies(deployment('many', { replicas: 3 })));
    const found = await explained(at(), 'many', 'webhook-refusal');
    at().engine.refuse(undefined);
    expect(found.headline).toBe(
      'Step run of phase main in plan deploy is tried again: Admission webhook policy.example.org denied the request: three replicas are too many.',
    );
  });
});
