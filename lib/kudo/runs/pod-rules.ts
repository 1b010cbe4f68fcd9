import { IMAGE_REASONS } from '@/lib/kudo/view/diagnosis';
import type { ExplainedEvent, ExplainedObject, ExplainedPod, StepExplanation } from '@/lib/kudo/view/step-explanation';
import { type FailureFinding, quoted } from './failure-finding';
import { refusalIn } from './refusal-rules';
import { tellingLine } from './telling-line';

type Rule = (pod: ExplainedPod, evidence: StepExplanation) => FailureFinding | undefined;

/** The first pod whose state says why it does not run. */
export function podFinding(evidence: StepExplanation): FailureFinding | undefined {
  for (const pod of evidence.pods) {
    for (const rule of RULES) {
      const found = rule(pod, evidence);
      if (found !== undefined) return { object: ownerOf(pod.name, evidence.objects), pod, ...found };
    }
  }
  return undefined;
}

/** The object whose name the name of a pod, or of a ReplicaSet, begins with; else the first one. */
export function ownerOf(name: string, objects: readonly ExplainedObject[]): ExplainedObject | undefined {
  const owners = objects.filter((object) => name === object.name || name.startsWith(`${object.name}-`));
  return owners.sort((a, b) => b.name.length - a.name.length)[0] ?? objects[0];
}

/** In this order: what the kubelet and the scheduler name exactly, then what a container that ends says. */
const RULES: readonly Rule[] = [
  outOfMemory,
  imagePull,
  missingSource,
  unscheduled,
  killedByProbe,
  deniedByLog,
  exited,
  neverReady,
];

function outOfMemory({ reason, container }: ExplainedPod): FailureFinding | undefined {
  if (reason !== 'OOMKilled') return undefined;
  return {
    cause: 'out-of-memory',
    why: `Container ${container} was killed because it used more memory than its limit`,
    advice: 'Raise the memory limit of the container, or let it use less.',
  };
}

function imagePull(pod: ExplainedPod, { events }: StepExplanation): FailureFinding | undefined {
  if (!IMAGE_REASONS.includes(pod.reason)) return undefined;
  const event = aboutPod(
    events,
    pod,
    ({ message }) => /pull|image/i.test(message) && !/^(Error:|Back-off)/.test(message),
  );
  return unpulled(pod.image, event);
}

/** Words for an image that cannot be pulled. */
export function unpulled(image: string, event: ExplainedEvent | undefined): FailureFinding {
  return {
    cause: 'image-pull',
    why: `Image ${image} cannot be pulled`,
    advice: 'Correct the name or tag of the image, or allow the nodes to pull it from its registry.',
    event,
  };
}

function missingSource(pod: ExplainedPod, { events }: StepExplanation): FailureFinding | undefined {
  const own = missingIn(pod.message);
  if (own !== undefined) return own;
  if (pod.reason !== '') return undefined;
  const event = aboutPod(
    events,
    pod,
    ({ reason, message }) => reason === 'FailedMount' && missingIn(message) !== undefined,
  );
  const found = event === undefined ? undefined : missingIn(event.message);
  return found === undefined ? undefined : { ...found, event };
}

/** Texts of the kubelet about a Secret or ConfigMap, or a key of one. */
function missingIn(text: string): FailureFinding | undefined {
  const whole = /\b(secret|configmap)s? "([^"]+)" not found/i.exec(text);
  if (whole !== null) {
    const kind = (whole[1] ?? '').toLowerCase() === 'secret' ? 'Secret' : 'ConfigMap';
    return {
      cause: 'missing-secret',
      why: `${kind} ${whole[2]} does not exist, and a container needs it`,
      advice: `Create ${kind} ${whole[2]}, or correct its name in the parameters.`,
    };
  }
  const key = /couldn't find key (\S+) in (Secret|ConfigMap) (\S+)/.exec(text);
  if (key !== null) {
    const name = (key[3] ?? '').split('/').at(-1);
    return {
      cause: 'missing-secret',
      why: `${key[2]} ${name} has no key ${key[1]}, and a container needs it`,
      advice: `Add the key to ${key[2]} ${name}, or correct its name in the parameters.`,
    };
  }
  const reference = /references non-existent (secret|config) key: (\S+)/.exec(text);
  if (reference === null) return undefined;
  const kind = reference[1] === 'secret' ? 'Secret' : 'ConfigMap';
  return {
    cause: 'missing-secret',
    why: `A ${kind} has no key ${reference[2]}, and a volume needs it`,
    advice: `Add the key to the ${kind}, or correct its name in the parameters.`,
  };
}

function unscheduled(pod: ExplainedPod, evidence: StepExplanation): FailureFinding | undefined {
  if (pod.reason !== 'Unschedulable' && pod.reason !== 'SchedulerError') return undefined;
  const claim = pendingClaim(pod, evidence);
  if (claim !== undefined) return claim;
  return {
    cause: 'unschedulable',
    why: pod.message === '' ? 'No node can run the pod' : `No node can run the pod: ${quoted(pod.message)}`,
    advice: 'Lower what the pod requests, correct its node selector, or add a node that fits.',
  };
}

/** Reasons of events of a claim that has no volume. */
const CLAIM_REASONS: readonly string[] = ['ProvisioningFailed', 'FailedBinding', 'ExternalProvisioning'];
const CLAIM_WORDS = /persistentvolumeclaim|persistent volumes? to bind|binding volumes/i;

function pendingClaim({ message }: ExplainedPod, { claims, events }: StepExplanation): FailureFinding | undefined {
  const advice = 'Correct the storage class of the claim, or provide a volume that fits it.';
  const absent = /persistentvolumeclaim "([^"]+)" not found/.exec(message);
  if (absent !== null) {
    const fix = `Create PersistentVolumeClaim ${absent[1]}, or correct its name in the parameters.`;
    return { cause: 'claim-pending', why: `PersistentVolumeClaim ${absent[1]} does not exist`, advice: fix };
  }
  const about = ({ object, reason }: ExplainedEvent) =>
    CLAIM_REASONS.includes(reason) && claims.some(({ name }) => object === `PersistentVolumeClaim/${name}`);
  const event = events.find(about);
  // A claim whose class waits for the first pod is pending while the pod is not scheduled for another reason.
  if (event === undefined && !CLAIM_WORDS.test(message)) return undefined;
  const name = event?.object.split('/')[1] ?? claims[0]?.name;
  const storageClass = claims.find((claim) => claim.name === name)?.storageClass ?? '';
  const ofClass = storageClass === '' ? '' : ` of storage class ${storageClass}`;
  const what = name === undefined ? 'A PersistentVolumeClaim of the pod' : `PersistentVolumeClaim ${name}${ofClass}`;
  const why = event === undefined ? message : event.message;
  return { cause: 'claim-pending', why: `${what} has no volume: ${quoted(why)}`, advice, event };
}

/** Exit codes of a container that the kubelet ends: SIGKILL, SIGTERM; undefined also stands for 0. */
const ENDED_BY_KUBELET: readonly (number | undefined)[] = [undefined, 137, 143];

function killedByProbe(pod: ExplainedPod, { events }: StepExplanation): FailureFinding | undefined {
  if (!ENDED_BY_KUBELET.includes(pod.exitCode)) return undefined;
  const event = aboutPod(events, pod, isUnhealthy(/^(Liveness|Startup) probe/));
  if (event === undefined) return undefined;
  const why = `${probeWords(pod, event)}, so the kubelet restarts the container`;
  const advice =
    'Make the container answer the probe, or give it more time with initialDelaySeconds or failureThreshold.';
  return { cause: 'probe', why, advice, event };
}

function neverReady(pod: ExplainedPod, { events }: StepExplanation): FailureFinding | undefined {
  const event = aboutPod(events, pod, isUnhealthy(/^(Readiness|Liveness|Startup) probe/));
  if (pod.reason !== '' || event === undefined) return undefined;
  const advice = 'Read the log of the container for the reason, or correct the probe.';
  return { cause: 'probe', why: probeWords(pod, event), advice, event };
}

function isUnhealthy(probe: RegExp): (event: ExplainedEvent) => boolean {
  return ({ reason, message }) => reason === 'Unhealthy' && probe.test(message);
}

function probeWords({ container }: ExplainedPod, { message }: ExplainedEvent): string {
  const [, probe = '', said = ''] = /^(\w+) probe \w+:?\s*(.*)/s.exec(message) ?? [];
  const words = `The ${probe.toLowerCase()} probe of container ${container} fails`;
  return quoted(said) === '' ? words : `${words}: ${quoted(said)}`;
}

/** A program that asks the API server ends with its refusal. */
function deniedByLog(pod: ExplainedPod): FailureFinding | undefined {
  if (pod.exitCode === undefined) return undefined;
  const logLine = pod.logLines.findLast((line) => refusalIn(line)?.cause === 'rbac');
  const words = logLine === undefined ? undefined : refusalIn(logLine);
  return words === undefined ? undefined : { ...words, logLine };
}

function exited(pod: ExplainedPod, { objects }: StepExplanation): FailureFinding | undefined {
  const { container, reason, exitCode, message, logLines } = pod;
  if (exitCode === undefined && reason !== 'CrashLoopBackOff') return undefined;
  const ofJob = ownerOf(pod.name, objects);
  const isOver = ofJob?.kind === 'Job' && (reason !== 'CrashLoopBackOff' || ofJob.health.state === 'failed');
  // The sentence beside CrashLoopBackOff only says how long the kubelet waits; beside an end it is what the container wrote.
  const said = reason === 'CrashLoopBackOff' ? '' : quoted(message.trimEnd().split('\n').at(-1) ?? '');
  // Not in the first sentence, which is also shown to people who may not read logs.
  const logLine = tellingLine(logLines);
  const ends = exitCode === undefined ? 'ends again and again' : `exited with code ${exitCode}`;
  const words = `container ${container} ${ends}${said === '' ? '' : `: ${said}`}`;
  const isSilent = said === '' && logLine === undefined;
  const advice = `${isSilent ? 'Correct what makes it end' : 'Correct what this line names'}: a parameter, or an object that the container needs.`;
  if (isOver) {
    const failed = ofJob.health.state === 'failed' ? 'failed' : 'does not succeed';
    return { cause: 'job-failed', why: `Job ${ofJob.name} ${failed}: ${words}`, advice, logLine };
  }
  return { cause: 'crash-loop', why: `${words.replace('container', 'Container')}`, advice, logLine };
}

function aboutPod(
  events: readonly ExplainedEvent[],
  { name }: ExplainedPod,
  says: (event: ExplainedEvent) => boolean,
): ExplainedEvent | undefined {
  return events.find((event) => event.object === `Pod/${name}` && says(event));
}
