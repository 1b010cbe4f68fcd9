import type { JsonObject } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { noticesSchema } from './notices-schema';
import { map, object, string } from './schema-words';

const NAME_CHARS = 253;
const REASON_CHARS = 1_000;
const VALUE_CHARS = 10_000;
const MOST_PARAMETERS = 100;

const time = (description: string): JsonObject => ({ type: 'string', format: 'date-time', description });

/** `PlanApproval.spec`: it stays as it was created. */
export function planApprovalSpecSchema(): JsonObject {
  return {
    ...object('', {
      instanceName: bounded(NAME_CHARS, 'The Instance, in the same namespace.'),
      plan: bounded(NAME_CHARS, 'The plan that is to start.'),
      parameters: {
        ...map(bounded(VALUE_CHARS), 'Values that go with the start. The webhook stores their fingerprints.'),
        maxProperties: MOST_PARAMETERS,
      },
      operatorVersion: bounded(NAME_CHARS, 'The version to move to; that of the Instance when absent.'),
      reason: bounded(REASON_CHARS, 'Why, in the words of the person.'),
      instanceUid: bounded(NAME_CHARS, 'Its uid: another Instance may have had this name.'),
      digest: bounded(
        NAME_CHARS,
        'Over plan, version and parameters. After a change of any of them the approval is void.',
      ),
      requestedBy: bounded(REASON_CHARS, 'Who asked, as the webhook saw it.'),
      requestedAt: time('When.'),
      proof: bounded(NAME_CHARS, 'That the webhook wrote who asked.'),
    }),
    required: ['instanceName', 'plan'],
    'x-kubernetes-validations': [
      { rule: 'self == oldSelf', message: 'a request cannot be changed; create another one' },
    ],
  };
}

/** `PlanApproval.status`. */
export function planApprovalStatusSchema(): JsonObject {
  return object('', {
    approvedBy: bounded(
      REASON_CHARS,
      'Who approved it, as the webhook saw it. Any text approves; the webhook writes the name.',
    ),
    approvedAt: time('When.'),
    rejectedBy: bounded(REASON_CHARS, 'Who rejected it.'),
    rejectedAt: time('When.'),
    usedBy: bounded(NAME_CHARS, 'The uid of the execution that it was used for.'),
    usedAt: time('When.'),
    proof: bounded(NAME_CHARS, 'That the webhook wrote who approved.'),
    notices: {
      ...noticesSchema('What receivers are told of the request, oldest first.'),
      maxItems: limits.notices.perResult,
    },
  });
}

/** The API server reckons the costs of rules with the longest text. */
function bounded(maxLength: number, description = ''): JsonObject {
  return { ...string(description), maxLength };
}
