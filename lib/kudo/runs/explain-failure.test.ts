import { describe, expect, it } from 'vitest';
import {
  type ExplainedEvent,
  type ExplainedPod,
  NO_EVIDENCE,
  type StepExplanation,
} from '@/lib/kudo/view/step-explanation';
import { explainFailure } from './explain-failure';
import { failedStep, failedStepOf } from './failed-step';
import { FAILURE_CAUSES, parseExplanation, saysMoreThanPlan } from './failure-explanation';
import { maskEvidence } from './mask-secrets';

const web = {
  kind: 'Deployment',
  name: 'shop',
  health: { state: 'progressing', message: '0 of 1 available' },
} as const;
const job = {
  kind: 'Job',
  name: 'shop-load',
  health: { state: 'failed', message: 'failed: BackoffLimitExceeded: Job has reached the specified backoff limit' },
} as const;
const late = {
  ...job,
  health: { state: 'failed', message: 'failed: DeadlineExceeded: Job was active longer than specified deadline' },
} as const;

const pod = (parts: Partial<ExplainedPod> = {}): ExplainedPod => ({
  name: 'shop-6c5d-x2x4z',
  health: { state: 'progressing', message: 'is not ready' },
  container: 'web',
  image: 'registry.example/web:9',
  reason: '',
  message: '',
  exitCode: undefined,
  logLines: [],
  logProblem: undefined,
  ...parts,
});
const jobPod = (parts: Partial<ExplainedPod>) => pod({ name: 'shop-load-k8s9f', container: 'load', ...parts });
const event = (reason: string, message: string, object = 'Pod/shop-6c5d-x2x4z'): ExplainedEvent => ({
  ...{ object, reason, message, at: '2026-01-01T00:00:00Z', count: 3 },
});
const evidence = (parts: Partial<StepExplanation>): StepExplanation => ({
  ...NO_EVIDENCE,
  objects: [web],
  unhealthyPods: parts.pods?.length ?? 0,
  ...parts,
});
const waits = failedStep(
  { name: 'deploy' },
  { name: 'main' },
  { name: 'web', status: 'IN_PROGRESS', message: 'Deployment shop: 0 of 1 available' },
);
const says = (message: string, status = 'FATAL_ERROR') =>
  failedStep({ name: 'deploy' }, { name: 'main' }, { name: 'web', status, message });
const fatal = (cause: string) =>
  says(`Error during execution: fatal error: ns/shop failed in deploy.main.web.web: ${cause}`);
const retried = (cause: string) =>
  says(`A transient error when executing task deploy.main.web.web. Will retry. ${cause}`, 'ERROR');

const SCHEDULED =
  '0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.';
const UNBOUND =
  '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.';
const QUOTA =
  'pods "shop-6c5d-x2x4z" is forbidden: exceeded quota: compute, requested: limits.cpu=2,pods=1, used: limits.cpu=3,pods=9, limited: limits.cpu=4,pods=10';
const USER = 'system:serviceaccount:bravo:controller';
const DENIED = `deployments.apps is forbidden: User "${USER}" cannot create resource "deployments" in API group "apps" in the namespace "shop"`;

/** Name, cause, step, evidence, words of the paragraph. */
const table: [string, string, ReturnType<typeof says>, Partial<StepExplanation>, ...string[]][] = [
  [
    'ErrImagePull with its event',
    'image-pull',
    waits,
    {
      pods: [pod({ reason: 'ErrImagePull' })],
      events: [
        event('Failed', 'Error: ErrImagePull'),
        event('Failed', 'Failed to pull image "registry.example/web:9": rpc error: code = NotFound desc = not found'),
      ],
    },
    'Step web of phase main in plan deploy waits: Image registry.example/web:9 cannot be pulled.',
    'It is pod shop-6c5d-x2x4z of Deployment shop (ErrImagePull).',
    'The event Failed says: Failed to pull image',
    'Plan deploy goes on by itself when that is done.',
  ],
  ['a BackOff of a pull', 'image-pull', waits, { pods: [pod({ reason: 'ImagePullBackOff' })] }, 'cannot be pulled'],
  [
    'the image of a Job whose deadline took its pods',
    'image-pull',
    fatal('Job shop-load: failed'),
    { objects: [late], events: [event('Failed', 'Failed to pull image "job:1": not found', 'Pod/shop-load-k8s9f')] },
    'Image job:1 cannot be pulled',
  ],
  [
    'FailedCreate: exceeded quota',
    'quota',
    waits,
    { events: [event('FailedCreate', `Error creating: ${QUOTA}`, 'ReplicaSet/shop-6c5d')] },
    'ResourceQuota compute is exceeded: requested limits.cpu=2,pods=1, used limits.cpu=3,pods=9, limited to limits.cpu=4,pods=10.',
    'Raise ResourceQuota compute',
  ],
  [
    'a quota that wants requests',
    'quota',
    waits,
    {
      events: [
        event(
          'FailedCreate',
          'Error creating: pods "x" is forbidden: failed quota: compute: must specify limits.cpu for: web; requests.cpu for: web',
          'ReplicaSet/shop-6c5d',
        ),
      ],
    },
    'ResourceQuota compute wants every pod to state limits.cpu for: web',
  ],
  [
    'a LimitRange',
    'quota',
    waits,
    {
      events: [
        event(
          'FailedCreate',
          'Error creating: pods "x" is forbidden: maximum cpu usage per Container is 1, but limit is 2',
          'ReplicaSet/shop-6c5d',
        ),
      ],
    },
    'A LimitRange does not allow it: maximum cpu usage per Container is 1, but limit is 2.',
  ],
  [
    'a quota that refuses an object of the template',
    'quota',
    retried(
      'services "shop" is forbidden: exceeded quota: net, requested: services=1, used: services=5, limited: services=5',
    ),
    { objects: [] },
    'is tried again: ResourceQuota net is exceeded',
  ],
  [
    'Unhealthy: readiness',
    'probe',
    waits,
    {
      pods: [pod({ logLines: ['listening'] })],
      events: [event('Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503')],
    },
    'The readiness probe of container web fails: HTTP probe failed with statuscode: 503.',
  ],
  [
    'a liveness probe that kills, which is no crash',
    'probe',
    waits,
    {
      pods: [pod({ reason: 'CrashLoopBackOff', exitCode: 137 })],
      events: [event('Unhealthy', 'Liveness probe failed: dial tcp 10.0.0.7:80: connect: connection refused')],
    },
    'The liveness probe of container web fails: dial tcp 10.0.0.7:80: connect: connection refused, so the kubelet restarts the container.',
  ],
  [
    'FailedScheduling: unbound claims',
    'claim-pending',
    waits,
    {
      pods: [pod({ reason: 'Unschedulable', message: UNBOUND })],
      claims: [{ name: 'data-shop-0', storageClass: 'fast' }],
      events: [
        event(
          'ProvisioningFailed',
          'storageclass.storage.k8s.io "fast" not found',
          'PersistentVolumeClaim/data-shop-0',
        ),
        event('FailedScheduling', UNBOUND),
      ],
    },
    'PersistentVolumeClaim data-shop-0 of storage class fast has no volume: storageclass.storage.k8s.io "fast" not found.',
  ],
  [
    'a claim that does not exist',
    'claim-pending',
    waits,
    {
      pods: [
        pod({
          reason: 'Unschedulable',
          message: '0/3 nodes are available: persistentvolumeclaim "data" not found. not found',
        }),
      ],
    },
    'PersistentVolumeClaim data does not exist.',
  ],
  [
    'FailedScheduling: no node, although a claim waits for its first pod',
    'unschedulable',
    waits,
    {
      pods: [pod({ reason: 'Unschedulable', message: SCHEDULED })],
      claims: [{ name: 'data-shop-0', storageClass: 'standard' }],
      events: [event('FailedScheduling', SCHEDULED)],
    },
    'No node can run the pod: 0/3 nodes are available: 3 Insufficient cpu.',
    'Lower what the pod requests',
  ],
  [
    'the API server refuses the controller',
    'rbac',
    retried(DENIED),
    { objects: [] },
    `User ${USER} has no permission to create deployments.apps in namespace shop.`,
    'Grant the permission with a Role and a RoleBinding.',
  ],
  [
    'FailedCreate: forbidden, no ServiceAccount',
    'rbac',
    waits,
    {
      events: [
        event(
          'FailedCreate',
          'Error creating: pods "shop-6c5d-" is forbidden: error looking up service account shop/runner: serviceaccount "runner" not found',
          'ReplicaSet/shop-6c5d',
        ),
      ],
    },
    'ServiceAccount runner of the pods does not exist.',
  ],
  [
    'a program that the API server refuses',
    'rbac',
    fatal('Job shop-load: failed'),
    {
      objects: [job],
      pods: [
        jobPod({
          reason: 'Error',
          exitCode: 1,
          logLines: [
            `Error from server (Forbidden): pods is forbidden: User "system:serviceaccount:shop:default" cannot list resource "pods" in API group "" in the namespace "shop"`,
            'bye',
          ],
        }),
      ],
    },
    'User system:serviceaccount:shop:default has no permission to list pods in namespace shop.',
    'Its log says: Error from server (Forbidden)',
  ],
  [
    'a template that cannot be rendered',
    'template-error',
    fatal(
      'template web.yaml cannot be rendered: template: web.yaml:3:12: executing "web.yaml" at <.Params.NOPE>: map has no entry for key "NOPE"',
    ),
    { objects: [] },
    'failed: Template web.yaml cannot be rendered: template: web.yaml:3:12: executing "web.yaml" at <.Params.NOPE>: map has no entry for key "NOPE".',
    'Then run plan deploy again.',
  ],
  [
    'an object that the API server refuses',
    'template-error',
    fatal('Deployment.apps "shop" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0'),
    { objects: [] },
    'The API server refuses an object: Deployment.apps "shop" is invalid',
  ],
  [
    'OOMKilled',
    'out-of-memory',
    waits,
    {
      pods: [pod({ reason: 'OOMKilled', exitCode: 137, logLines: ['loading'] })],
      events: [event('BackOff', 'Back-off restarting failed container web in pod shop-6c5d-x2x4z_shop(1)')],
    },
    'Container web was killed because it used more memory than its limit.',
  ],
  [
    'BackOff of a container that ends',
    'crash-loop',
    waits,
    {
      pods: [
        pod({
          reason: 'CrashLoopBackOff',
          message: 'back-off 40s restarting failed container=web',
          exitCode: 1,
          logLines: ['starting', 'FATAL: role "app" does not exist', '\tat main.go:7'],
        }),
      ],
      events: [event('BackOff', 'Back-off restarting failed container web in pod shop-6c5d-x2x4z_shop(1)')],
    },
    'Container web exited with code 1.',
    'Its log says: FATAL: role "app" does not exist.',
    '(CrashLoopBackOff)',
  ],
  [
    'FailedCreate: an admission webhook',
    'webhook-refusal',
    waits,
    {
      events: [
        event(
          'FailedCreate',
          'Error creating: admission webhook "policy.example.org" denied the request: images must come from registry.example',
          'ReplicaSet/shop-6c5d',
        ),
      ],
    },
    'Admission webhook policy.example.org denied the request: images must come from registry.example.',
  ],
  [
    'a webhook that cannot be called',
    'webhook-refusal',
    retried(
      'Internal error occurred: failed calling webhook "v.example.org": failed to call webhook: Post "https://v.x.svc:443/v?timeout=10s": service "v" not found',
    ),
    { objects: [] },
    'Admission webhook v.example.org cannot be called: failed to call webhook',
  ],
  [
    'an admission policy',
    'webhook-refusal',
    retried(
      "deployments.apps \"shop\" is forbidden: ValidatingAdmissionPolicy 'limits' with binding 'b' denied request: at most 5 replicas",
    ),
    { objects: [] },
    'Admission policy limits denied the request: at most 5 replicas.',
  ],
  [
    'pod security',
    'webhook-refusal',
    waits,
    {
      events: [
        event(
          'FailedCreate',
          'Error creating: pods "x" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true',
          'ReplicaSet/shop-6c5d',
        ),
      ],
    },
    'Pod security level restricted:latest does not allow the pod: runAsNonRoot != true.',
  ],
  [
    'a finalizer in the message of a Delete task',
    'finalizer',
    says('ConfigMap shop-old: is being deleted (held by example.org/guard)', 'IN_PROGRESS'),
    { objects: [] },
    'ConfigMap shop-old cannot be deleted while its finalizer example.org/guard is set.',
  ],
  [
    'a finalizer of an object',
    'finalizer',
    waits,
    {
      objects: [
        {
          kind: 'Pond',
          name: 'p',
          health: { state: 'progressing', message: 'is being deleted' },
          heldBy: ['a/b', 'c/d'],
        },
      ],
    },
    'Pond p cannot be deleted while its finalizers a/b, c/d are set.',
  ],
  [
    'CreateContainerConfigError',
    'missing-secret',
    waits,
    { pods: [pod({ reason: 'CreateContainerConfigError', message: 'secret "login" not found' })] },
    'Secret login does not exist, and a container needs it.',
    'Create Secret login',
  ],
  [
    'a missing key',
    'missing-secret',
    waits,
    {
      pods: [pod({ reason: 'CreateContainerConfigError', message: "couldn't find key password in Secret shop/login" })],
    },
    'Secret login has no key password',
  ],
  [
    'FailedMount',
    'missing-secret',
    waits,
    {
      pods: [pod()],
      events: [event('FailedMount', 'MountVolume.SetUp failed for volume "tls" : secret "certs" not found')],
    },
    'Secret certs does not exist',
    'The event FailedMount says: MountVolume.SetUp failed for volume "tls" : secret "certs" not found.',
  ],
  [
    'FailedMount of a ConfigMap',
    'missing-secret',
    waits,
    {
      pods: [pod()],
      events: [event('FailedMount', 'MountVolume.SetUp failed for volume "c" : configmap "rules" not found')],
    },
    'ConfigMap rules does not exist',
  ],
  [
    'BackoffLimitExceeded',
    'job-failed',
    fatal(
      'Job shop-load: failed: BackoffLimitExceeded: Job has reached the specified backoff limit; pod shop-load-k8s9f: exit code 3',
    ),
    {
      objects: [job],
      pods: [jobPod({ reason: 'Error', exitCode: 3, logLines: ['loading', 'table 7 is broken'] })],
      events: [event('BackoffLimitExceeded', 'Job has reached the specified backoff limit', 'Job/shop-load')],
    },
    'failed: Job shop-load failed: container load exited with code 3.',
    'Its log says: table 7 is broken.',
  ],
  [
    'a Job whose pods are gone',
    'job-failed',
    fatal('Job shop-load: failed'),
    { objects: [job] },
    'Job shop-load failed: BackoffLimitExceeded: Job has reached the specified backoff limit.',
  ],
  [
    'DeadlineExceeded of a Job',
    'deadline',
    fatal('Job shop-load: failed'),
    { objects: [late] },
    'Job shop-load failed: DeadlineExceeded: Job was active longer than specified deadline.',
    'Raise activeDeadlineSeconds',
  ],
  [
    'a kind that is not served',
    'wrong-api-version',
    fatal(
      'the cluster does not know the kind Pond in lab.example.org/v9; install its CustomResourceDefinition, or fix the template',
    ),
    { objects: [] },
    'The cluster does not serve the kind Pond in lab.example.org/v9.',
  ],
  [
    'the deadline of a step',
    'deadline',
    says(
      'Step web of plan deploy is past its deadline of 10m. It waited for: Deployment shop: 0 of 1 available. Fix the cause and start the plan again, or allow more time with the annotation bravo.kudo.dev/deadlines.',
    ),
    {},
    'failed at its deadline of 10m: The deadline of 10m passed, and it waited in vain for Deployment shop: 0 of 1 available.',
    'allow more time for deploy.main.web with the annotation bravo.kudo.dev/deadlines.',
  ],
  [
    'a deadline whose reason is known, which counts more',
    'image-pull',
    says(
      'Step web of plan deploy is past its deadline of 10m. It waited for: Deployment shop: 0 of 1 available. Fix the cause …',
    ),
    { pods: [pod({ reason: 'ImagePullBackOff' })] },
    'failed at its deadline of 10m: Image registry.example/web:9 cannot be pulled.',
  ],
  [
    'what no rule knows, in the words of the task',
    'unknown',
    fatal('Service shop belongs to Other x and is not overwritten.'),
    {},
    'failed: Service shop belongs to Other x and is not overwritten.',
  ],
  ['a step that waits for a slow object', 'unknown', waits, {}, 'waits: Deployment shop: 0 of 1 available.'],
];

describe('explainFailure', () => {
  it.each(table)('names the cause of %s', (_name, cause, step, parts, ...words) => {
    const found = explainFailure(step, evidence(parts));
    expect(found.cause, found.paragraph).toBe(cause);
    for (const word of words) expect(found.paragraph).toContain(word);
    expect(found.paragraph.startsWith(found.headline)).toBe(true);
    expect(found.paragraph.endsWith(found.advice)).toBe(true);
    expect(found.paragraph).not.toMatch(/\.\.|undefined| {2}/);
  });

  it('has a row for every cause', () => {
    const named = new Set(table.map(([, cause]) => cause));
    expect([...FAILURE_CAUSES].filter((cause) => !named.has(cause))).toEqual([]);
  });

  it('goes from the step to the line of the log', () => {
    const pods = [pod({ reason: 'CrashLoopBackOff', exitCode: 1, logLines: ['FATAL: no'] }), pod({ name: 'shop-2' })];
    const { chain } = explainFailure(waits, evidence({ pods, events: [event('BackOff', 'Back-off restarting')] }));
    expect(chain).toEqual([
      { kind: 'step', text: 'Step web of phase main in plan deploy waits' },
      { kind: 'object', text: 'Deployment shop: 0 of 1 available' },
      {
        kind: 'pod',
        text: 'Pod shop-6c5d-x2x4z, container web, and 1 more pod: CrashLoopBackOff',
        name: 'shop-6c5d-x2x4z',
      },
      { kind: 'event', text: 'BackOff: Back-off restarting (3 times)', at: '2026-01-01T00:00:00Z' },
      { kind: 'log', text: 'FATAL: no' },
    ]);
  });

  it('explains an Instance that is not ready without a step', () => {
    const { headline, chain } = explainFailure(undefined, evidence({ pods: [pod({ reason: 'OOMKilled' })] }));
    expect(headline).toBe('Container web was killed because it used more memory than its limit.');
    expect(chain.map(({ kind }) => kind)).toEqual(['object', 'pod']);
  });

  it('survives JSON, and an unknown cause of a newer version', () => {
    const found = explainFailure(waits, evidence({ pods: [pod({ reason: 'OOMKilled' })] }));
    expect(parseExplanation(JSON.parse(JSON.stringify(found)))).toEqual(found);
    expect(parseExplanation({ ...found, cause: 'moonlight' })?.cause).toBe('unknown');
    expect(parseExplanation({ cause: 'quota' })).toBeUndefined();
  });

  it('says more than the plan when pods, events or logs do', () => {
    expect(saysMoreThanPlan(explainFailure(waits, evidence({ pods: [pod({ reason: 'OOMKilled' })] })))).toBe(true);
    expect(saysMoreThanPlan(explainFailure(retried(DENIED), NO_EVIDENCE))).toBe(false);
  });

  it('shows no secret text when the evidence is masked', () => {
    const masking = { texts: new Set(['hunter2-text']), fingerprints: { of: () => '‹secret›' } };
    const pods = [
      pod({ reason: 'Error', exitCode: 1, message: 'login hunter2-text failed', logLines: ['hunter2-text refused'] }),
    ];
    const seen = evidence({ pods, events: [event('Failed', 'hunter2-text is wrong')] });
    const found = explainFailure(waits, maskEvidence(seen, masking));
    expect(JSON.stringify(found)).not.toContain('hunter2');
    expect(found.paragraph).toContain('login ‹secret› failed');
  });
});

describe('failedStepOf', () => {
  const phases = (status: string, message = '') => [
    {
      name: 'main',
      status: status as never,
      steps: [
        { name: 'a', status: 'COMPLETE' as const },
        { name: 'b', status: status as never, message },
      ],
    },
  ];

  it('finds the step that failed, and the deadline of the plan that ended it', () => {
    const message = 'Plan deploy is past its deadline of 1h30m. It waited for: x. Fix';
    expect(failedStepOf('deploy', { status: 'FATAL_ERROR', message, phases: phases('FATAL_ERROR', 'x') })).toEqual({
      plan: 'deploy',
      place: { phase: 'main', step: 'b' },
      state: 'failed',
      message: 'x',
      deadline: '1h30m',
    });
  });

  it('finds the step that waits or is tried again, and nothing in a plan that is complete', () => {
    expect(failedStepOf('deploy', { status: 'IN_PROGRESS', phases: phases('ERROR') })?.state).toBe('retried');
    expect(failedStepOf('deploy', { status: 'IN_PROGRESS', phases: phases('IN_PROGRESS') })?.state).toBe('waiting');
    expect(failedStepOf('deploy', { status: 'COMPLETE', phases: phases('COMPLETE') })).toBeUndefined();
  });

  it('takes the plan when it failed without a step, and a cancelled run for no failure', () => {
    const gone = { status: 'FATAL_ERROR', message: 'ns/shop fatal error:  parameter "A" cannot be read' } as const;
    expect(failedStepOf('deploy', gone)).toMatchObject({ plan: 'deploy', state: 'failed' });
    const cancelled = 'The run was cancelled. Half done: main/b.';
    const step = failedStepOf('deploy', { status: 'FATAL_ERROR', message: cancelled, phases: phases('FATAL_ERROR') });
    expect(step?.state).toBe('cancelled');
  });
});
