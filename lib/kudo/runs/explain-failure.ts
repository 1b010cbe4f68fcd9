import { diagnosisOf, eventOf } from '@/lib/kudo/view/diagnosis';
import { plainMessage } from '@/lib/kudo/view/instance-state';
import type { ExplainedEvent, StepExplanation } from '@/lib/kudo/view/step-explanation';
import type { FailedStep } from './failed-step';
import type { ChainLink, FailureExplanation } from './failure-explanation';
import { type FailureFinding, quoted } from './failure-finding';
import { eventFinding, objectFinding } from './object-rules';
import { ownerOf, podFinding } from './pod-rules';
import { refusalIn, taskProblemIn } from './refusal-rules';
import { tellingLine } from './telling-line';

/**
 * Why a step failed or does not end (without one: why an Instance is not ready), in one paragraph. The texts are those of the evidence:
 * the caller masks secrets in it, and in the message of the step, before.
 *
 * A deadline is the cause only when nothing says what was waited for in vain.
 */
export function explainFailure(step: FailedStep | undefined, evidence: StepExplanation): FailureExplanation {
  const found = findingOf(step, evidence);
  const lead = leadOf(step);
  const headline = sentence(lead === '' ? found.why : `${lead}: ${found.why}`);
  const event = found.event ?? nearestEvent(found, evidence);
  const advice = [found.advice, nextOf(step)].filter((part) => part !== '').join(' ');
  const sentences = [
    headline,
    ...placeSentences(found, evidence),
    ...quotes(found, found.cause === 'unknown' ? event : found.event),
    advice,
  ];
  return {
    cause: found.cause,
    ...(step?.place === undefined ? {} : { place: step.place }),
    headline,
    paragraph: sentences.filter((part) => part !== '').join(' '),
    chain: chainOf(step, found, { evidence, event }),
    advice,
  };
}

/** What the task said last counts most; then the pods, then events of objects without pods, then the objects. */
function findingOf(step: FailedStep | undefined, evidence: StepExplanation): FailureFinding {
  const message = step?.message ?? '';
  return (
    saidByTask(message, evidence) ??
    podFinding(evidence) ??
    eventFinding(evidence) ??
    objectFinding(evidence) ??
    pastDeadline(step) ??
    unexplained(step, evidence)
  );
}

/** A controller's event that has the same words is the evidence. */
function saidByTask(message: string, { objects, events }: StepExplanation): FailureFinding | undefined {
  const words = taskProblemIn(message) ?? refusalIn(message);
  if (words === undefined) return undefined;
  const object = objects.find(({ kind, name }) => message.includes(`${kind} ${name}:`));
  return { ...words, object, event: events.find((event) => refusalIn(event.message)?.why === words.why) };
}

function pastDeadline(step: FailedStep | undefined): FailureFinding | undefined {
  if (step?.deadline === undefined) return undefined;
  const waited = /It waited for: (.*?)\. Fix the cause/s.exec(step.message)?.[1] ?? '';
  const what = waited === '' ? 'it did not finish in time' : `it waited in vain for ${quoted(waited)}`;
  const place = step.place === undefined ? step.plan : `${step.plan}.${step.place.phase}.${step.place.step}`;
  return {
    cause: 'deadline',
    why: `The deadline of ${step.deadline} passed, and ${what}`,
    advice: `Find out what takes so long, or allow more time for ${place} with the annotation bravo.kudo.dev/deadlines.`,
  };
}

/** Of a step that ended or is tried again, its own message says more than the state of its objects. */
function unexplained(step: FailedStep | undefined, evidence: StepExplanation): FailureFinding {
  const said = plainMessage(step?.message ?? '');
  const problem = diagnosisOf(evidence);
  const pod = evidence.pods.find(({ name }) => name === problem?.object.name);
  const object = pod === undefined ? evidence.objects[0] : ownerOf(pod.name, evidence.objects);
  const isFirst = said !== '' && step?.state !== 'waiting';
  const why = (isFirst ? said : (problem?.cause ?? said)) || 'Nothing in the cluster says why';
  return { cause: 'unknown', why: quoted(why), advice: problem?.advice ?? '', object, pod };
}

function leadOf(step: FailedStep | undefined): string {
  if (step === undefined) return '';
  const { place, plan, deadline } = step;
  const what = place === undefined ? `Plan ${plan}` : `Step ${place.step} of phase ${place.phase} in plan ${plan}`;
  const late = deadline === undefined ? '' : ` at its deadline of ${deadline}`;
  return `${what} ${STATES[step.state]}${late}`;
}

const STATES = {
  failed: 'failed',
  cancelled: 'had not ended when the run was cancelled',
  retried: 'is tried again',
  waiting: 'waits',
} as const;

function nextOf(step: FailedStep | undefined): string {
  if (step === undefined) return '';
  if (step.state === 'failed' || step.state === 'cancelled') return `Then run plan ${step.plan} again.`;
  return `Plan ${step.plan} goes on by itself when that is done.`;
}

/** Where: the pod and its object, and how many more pods there are; the object when there is no pod. */
function placeSentences(found: FailureFinding, { unhealthyPods }: StepExplanation): string[] {
  const { object, pod, why } = found;
  const of = object === undefined ? '' : ` of ${object.kind} ${object.name}`;
  if (pod !== undefined) {
    const others = unhealthyPods > 1 ? `, and ${more(unhealthyPods - 1)}` : '';
    const reason = pod.reason === '' ? '' : ` (${pod.reason})`;
    return [`It is pod ${pod.name}${of}${reason}${others}.`];
  }
  if (object === undefined || object.health.message === '' || why.includes(`${object.kind} ${object.name}`)) return [];
  return [sentence(`${object.kind} ${object.name}: ${quoted(object.health.message)}`)];
}

function more(pods: number): string {
  return `${pods} more ${pods === 1 ? 'pod' : 'pods'}`;
}

/** The words of the cluster that the first sentence does not have. */
function quotes({ why, logLine }: FailureFinding, event: ExplainedEvent | undefined): string[] {
  const said: string[] = [];
  // A probe's event begins with what the sentence says already.
  const isSaid = event === undefined || why.includes(quoted(event.message.replace(/^\w+ probe \w+: /, '')));
  if (!isSaid) {
    said.push(sentence(`The event ${event.reason} says: ${quoted(event.message)}`));
  }
  if (logLine !== undefined && !why.includes(quoted(logLine))) said.push(sentence(`Its log says: ${quoted(logLine)}`));
  return said;
}

/** The newest event that says most about the pod, else about its object. */
function nearestEvent({ pod, object }: FailureFinding, { events }: StepExplanation): ExplainedEvent | undefined {
  const ofPod = pod === undefined ? undefined : eventOf(events, [`Pod/${pod.name}`]);
  return ofPod ?? (object === undefined ? undefined : eventOf(events, [`${object.kind}/${object.name}`]));
}

function chainOf(
  step: FailedStep | undefined,
  found: FailureFinding,
  { evidence, event }: { readonly evidence: StepExplanation; readonly event: ExplainedEvent | undefined },
): ChainLink[] {
  const { object, pod } = found;
  const log = found.logLine ?? (pod === undefined ? undefined : tellingLine(pod.logLines));
  const links: ChainLink[] = [];
  if (step !== undefined) links.push({ kind: 'step', text: leadOf(step) });
  if (object !== undefined) {
    const health = object.health.message || object.health.state;
    links.push({ kind: 'object', text: `${object.kind} ${object.name}: ${health}` });
  }
  if (pod !== undefined) {
    const others = evidence.unhealthyPods > 1 ? `, and ${more(evidence.unhealthyPods - 1)}` : '';
    const state = pod.reason || pod.health.message || pod.health.state;
    const text = `Pod ${pod.name}, container ${pod.container}${others}: ${state}`;
    links.push({ kind: 'pod', text, name: pod.name });
  }
  if (event !== undefined) links.push(eventLink(event));
  if (log !== undefined) links.push({ kind: 'log', text: quoted(log) });
  return links;
}

function eventLink({ reason, message, at, count }: ExplainedEvent): ChainLink {
  const times = count > 1 ? ` (${count} times)` : '';
  return { kind: 'event', text: `${reason}: ${quoted(message)}${times}`, ...(at === '' ? {} : { at }) };
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
