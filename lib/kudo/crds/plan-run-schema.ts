import type { JsonObject } from '@/lib/json/json';
import { RUN_CAUSES, RUN_STATUSES } from '@/lib/kudo/runs/plan-run';
import { noticesSchema } from './notices-schema';
import { boolean, list, object, string } from './schema-words';

const NAME_CHARS = 253;
const REASON_CHARS = 1_000;
const MOST_SKIPPED = 100;

/** What says which execution this is: it stays as it was created. */
const FIXED = ['instanceName', 'instanceUid', 'plan', 'uid', 'cause', 'requestedBy', 'reason', 'retryOf', 'undoOf'];

/** `PlanRun.spec`. */
export function planRunSpecSchema(): JsonObject {
  const skipped = {
    ...object('', {
      phase: bounded(NAME_CHARS),
      step: bounded(NAME_CHARS),
      reason: bounded(REASON_CHARS, 'Why the step may be left out.'),
    }),
    required: ['phase', 'step'],
  };
  return {
    ...object('', {
      instanceName: bounded(NAME_CHARS, 'The Instance, in the same namespace.'),
      instanceUid: bounded(NAME_CHARS, 'Its uid: another Instance may have had this name.'),
      plan: bounded(NAME_CHARS),
      uid: bounded(NAME_CHARS, 'The execution that this is the record of.'),
      cause: { ...string('Why it began.'), enum: [...RUN_CAUSES] },
      requestedBy: bounded(1_000, 'Who asked for it.'),
      reason: bounded(REASON_CHARS, 'Why, in the words of the person.'),
      retryOf: bounded(NAME_CHARS, 'The PlanRun that this one repeats.'),
      undoOf: bounded(NAME_CHARS, 'The PlanRun whose parameters and version this one takes back.'),
      paused: boolean('No step begins while this is true.'),
      cancelled: boolean('No task begins any more, and the plan ends. This cannot be taken back.'),
      stopAfter: bounded(NAME_CHARS, 'A phase: no step of a later one begins while this is set.'),
      skip: { ...list(skipped, 'Steps that count as done.'), maxItems: MOST_SKIPPED },
    }),
    required: ['instanceName', 'plan', 'uid'],
    'x-kubernetes-validations': [
      ...FIXED.map((field) => ({
        rule: `has(self.${field}) == has(oldSelf.${field}) && (!has(self.${field}) || self.${field} == oldSelf.${field})`,
        message: `${field} says which run this is and cannot be changed`,
      })),
      {
        rule: '!(has(oldSelf.cancelled) && oldSelf.cancelled) || (has(self.cancelled) && self.cancelled)',
        message: 'a cancelled run cannot go on; start the plan again',
      },
    ],
  };
}

/** `PlanRun.status`. */
export function planRunStatusSchema(): JsonObject {
  const time = { type: 'string', format: 'date-time' };
  const number = { type: 'number' };
  const step = object('', {
    name: string(),
    status: string(),
    message: string(),
    startedAt: time,
    finishedAt: time,
    seconds: number,
    attempts: { type: 'integer', description: 'Absent when the first one was enough.' },
  });
  const phase = object('', { name: string(), status: string(), message: string(), steps: list(step) });
  const change = object('', {
    name: string(),
    before: string('Absent when it had no value of its own.'),
    after: string(),
    secret: boolean('The values are fingerprints.'),
  });
  const output = object('', {
    type: string('backup and backup-deleted make the list of backups.'),
    name: string(),
    size: { type: 'integer', format: 'int64', description: 'Bytes.' },
    createdAt: time,
    target: string(),
    verified: boolean(),
  });
  return object('', {
    status: { ...string(), enum: [...RUN_STATUSES] },
    message: string('Why it is paused, how it failed, or what it left half done.'),
    startedAt: time,
    finishedAt: time,
    operatorVersion: string(),
    operatorVersionBefore: string('Absent when it is the same.'),
    changes: list(change, 'The parameters whose change this run brought about.'),
    phases: list(phase),
    outputs: list(output, 'What Jobs of the run wrote to their termination messages.'),
    preview: object('Whether the run applied what the preview with which it was started said.', {
      digest: string(),
      matches: boolean(),
      differs: list(string(), 'What was applied otherwise, and why.'),
    }),
    steering: list(
      object('', { at: time, event: string(), by: string(), message: string() }),
      'What people did with the run, oldest first.',
    ),
    heldSince: { ...time, description: 'Since when no step may begin.' },
    heldSeconds: { type: 'integer', description: 'For how long the run was held before.' },
    recordName: string('The Secret with its manifests, differences and logs.'),
    recordBytes: { type: 'integer', description: 'The size of what it holds.' },
    recordSha256: string('The SHA-256 of what it says.'),
    signature: object('By the controller, over what does not change after the end of the run.', {
      keyId: string('The SHA-256 of the public key.'),
      value: string('The Ed25519 signature, base64.'),
    }),
    instanceGoneAt: { ...time, description: 'Since when the Instance was seen to be gone.' },
    notices: noticesSchema('What receivers are told of the run, oldest first.'),
  });
}

/** The API server reckons the costs of rules with the longest text. */
function bounded(maxLength: number, description = ''): JsonObject {
  return { ...string(description), maxLength };
}
