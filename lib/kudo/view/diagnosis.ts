import { effectiveValues, secretParameters } from '@/lib/kudo/parameters/parameters';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { ExplainedEvent, ExplainedPod, StepExplanation } from '@/lib/kudo/view/step-explanation';

/** The cause that keeps a step or an Instance from being ready, for one place of the page. */
export interface Diagnosis {
  /** A sentence without its full stop: `Image web:9 cannot be pulled`. */
  readonly cause: string;
  readonly object: { readonly kind: string; readonly name: string };
  /** The image of the container when it is the cause, else empty. */
  readonly image: string;
  /** What to do, one sentence; empty when nothing general can be said. */
  readonly advice: string;
}

interface CauseAndAdvice {
  readonly cause: string;
  readonly advice: string;
}

/** Why a container waits whose image cannot be pulled, in the kubelet's words. */
export const IMAGE_REASONS: readonly string[] = [
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'RegistryUnavailable',
  'ImageInspectError',
];

const CONFIG_REASONS: readonly string[] = [
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'ContainerCannotRun',
];

/** The problem to show: of the first pod with a reason, else of the first object that is not healthy; undefined without any. */
export function diagnosisOf(explanation: StepExplanation): Diagnosis | undefined {
  const hasCause = ({ reason, exitCode }: ExplainedPod) => reason !== '' || exitCode !== undefined;
  const pod = explanation.pods.find(hasCause) ?? explanation.pods[0];
  if (pod !== undefined) {
    return {
      ...diagnose(pod),
      object: { kind: 'Pod', name: pod.name },
      image: IMAGE_REASONS.includes(pod.reason) ? pod.image : '',
    };
  }
  const object = explanation.objects.find(({ health }) => health.state !== 'healthy');
  if (object === undefined) return undefined;
  const { kind, name, health } = object;
  return {
    cause: `${kind} ${name}: ${health.message || health.state}`,
    object: { kind, name },
    image: '',
    advice: '',
  };
}

function diagnose(pod: ExplainedPod): CauseAndAdvice {
  const { container, image, reason, message, exitCode, health } = pod;
  if (IMAGE_REASONS.includes(reason)) {
    return {
      cause: `Image ${image} cannot be pulled`,
      advice: 'Correct the name or tag of the image, or allow the nodes to pull it from its registry.',
    };
  }
  if (reason === 'OOMKilled') {
    return {
      cause: `Container ${container} was killed because it used more memory than its limit`,
      advice: 'Raise the memory limit of the container.',
    };
  }
  if (reason === 'Unschedulable' || reason === 'SchedulerError') {
    return {
      cause: `No node can run the pod${message === '' ? '' : `: ${message}`}`,
      advice: 'Lower what the pod requests, or add a node that fits.',
    };
  }
  if (CONFIG_REASONS.includes(reason)) {
    return {
      cause: `Container ${container} cannot be created${message === '' ? '' : `: ${message}`}`,
      advice: 'Create what the container needs, or correct its name in the parameters.',
    };
  }
  if (exitCode !== undefined) return exited(pod, exitCode);
  const why = [reason, message].filter((part) => part !== '').join(': ');
  return { cause: `Pod ${pod.name}: ${why || health.message || health.state}`, advice: '' };
}

function exited({ container, reason, message }: ExplainedPod, exitCode: number): CauseAndAdvice {
  const readLog = 'Read the log below for the reason, and correct the parameter or the object that it names.';
  if (reason === 'CrashLoopBackOff')
    return { cause: `Container ${container} exits with code ${exitCode} and is restarted`, advice: readLog };
  // The termination message: what the container wrote there, or the end of its log. A program says last why it ends.
  const last = message.trimEnd().split('\n').at(-1) ?? '';
  const cause = `Container ${container} exited with code ${exitCode}`;
  if (last === '') return { cause, advice: readLog };
  return {
    cause: `${cause}: ${last.slice(0, MAX_MESSAGE_CHARS)}`,
    advice: 'Correct the parameter or the object that the message names.',
  };
}

const MAX_MESSAGE_CHARS = 500;

/** Only repeats the reason of the container, and does not say why. */
const REPEATS_REASON = /^Error: [A-Za-z]+$/;

/** The newest warning about one of the objects (about any, when none are named) that says more than a reason, else the newest. */
export function eventOf(events: readonly ExplainedEvent[], objects?: readonly string[]): ExplainedEvent | undefined {
  const about = events.filter(({ object }) => objects?.includes(object) ?? true);
  return about.find(({ message }) => !REPEATS_REASON.test(message)) ?? about[0];
}

/** Names of the parameters whose value is the image, its repository or its tag; secrets are left out. */
export function parametersOfImage(image: string, operatorVersion: OperatorVersion, instance: Instance): string[] {
  if (image === '') return [];
  const secrets = secretParameters(operatorVersion);
  const isPart = (value: string) => image === value || image.startsWith(`${value}:`) || image.endsWith(`:${value}`);
  return [...effectiveValues(operatorVersion, instance)]
    .filter(([name, value]) => value !== '' && !secrets.has(name) && isPart(value))
    .map(([name]) => name);
}
