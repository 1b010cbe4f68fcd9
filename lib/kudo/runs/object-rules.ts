import type { ExplainedEvent, ExplainedObject, StepExplanation } from '@/lib/kudo/view/step-explanation';
import { type FailureFinding, quoted } from './failure-finding';
import { ownerOf, unpulled } from './pod-rules';
import { heldBack, refusalIn } from './refusal-rules';

/** What the events of controllers say when no pod says why: pods that were never created, or that are gone. */
export function eventFinding({ events, objects }: StepExplanation): FailureFinding | undefined {
  for (const event of events) {
    const found = ofEvent(event);
    if (found !== undefined) return { object: ownerOf(event.object.split('/')[1] ?? '', objects), ...found, event };
  }
  return undefined;
}

function ofEvent(event: ExplainedEvent): FailureFinding | undefined {
  if (event.reason === 'FailedCreate') {
    const words = refusalIn(event.message);
    return words === undefined ? undefined : { ...words };
  }
  // The pods of a Job go with its deadline.
  const image = /^Failed to pull image "([^"]+)"/.exec(event.message)?.[1];
  return image === undefined ? undefined : unpulled(image, event);
}

/** What the objects themselves say. */
export function objectFinding({ objects }: StepExplanation): FailureFinding | undefined {
  const held = objects.find(({ heldBy = [] }) => heldBy.length > 0);
  if (held !== undefined) return { ...heldBack(`${held.kind} ${held.name}`, held.heldBy ?? []), object: held };
  const job = objects.find(({ kind, health }) => kind === 'Job' && health.state === 'failed');
  if (job !== undefined) return failedJob(job);
  const late = objects.find(({ health }) => health.message.includes('its progress deadline is exceeded'));
  if (late === undefined) return undefined;
  return {
    cause: 'deadline',
    why: `${late.kind} ${late.name} is past its progress deadline: ${quoted(late.health.message)}`,
    advice: 'Read the events and logs of its pods, or raise progressDeadlineSeconds.',
    object: late,
  };
}

function failedJob(object: ExplainedObject): FailureFinding {
  const why = `Job ${object.name} ${quoted(object.health.message)}`;
  if (object.health.message.includes('DeadlineExceeded')) {
    const advice = 'Raise activeDeadlineSeconds of the Job, or find out what keeps it.';
    return { cause: 'deadline', why, advice, object };
  }
  return { cause: 'job-failed', why, advice: 'Read the log of its pods, and correct what it names.', object };
}
