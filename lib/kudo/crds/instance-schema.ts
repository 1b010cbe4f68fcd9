import type { JsonObject } from '@/lib/json/json';
import { boolean, list, map, nullable, object, objectReference, string } from './schema-words';

/** `Instance.spec`. */
export function instanceSpecSchema(): JsonObject {
  return object('', {
    operatorVersion: objectReference('The OperatorVersion; without a namespace it is in this one.'),
    parameters: map(string(), 'Values of parameters, always as text.'),
    parametersFrom: parametersFromSchema(),
    planExecution: object('The plan that is scheduled or runs; this is the lock.', {
      planName: string('Empty when nothing runs.'),
      status: string(STATUS),
      uid: string('One execution; another uid starts the plan again.'),
    }),
  });
}

/** A map by the name of the parameter, so that two appliers can each own an entry. */
function parametersFromSchema(): JsonObject {
  const selector = (kind: string) =>
    object(`A key of a ${kind} in the same namespace.`, {
      name: string(`The name of the ${kind}.`),
      key: string('The key whose value is the value of the parameter.'),
      optional: boolean('When the key does not exist, the parameter has its default.'),
    });
  const entry: JsonObject = {
    ...object('', {
      name: string('The name of the parameter.'),
      secretKeyRef: selector('Secret'),
      configMapKeyRef: selector('ConfigMap'),
    }),
    // The API server wants the key of a map to be required.
    required: ['name'],
  };
  return {
    ...list(entry, 'Parameters whose values are in Secrets and ConfigMaps; a change of such a value is an edit.'),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  };
}

/** `Instance.status`. */
export function instanceStatusSchema(): JsonObject {
  const step = object('', {
    message: string(),
    name: string(),
    startedTimestamp: {
      type: 'string',
      format: 'date-time',
      description: 'When the step began, until it is over.',
    },
    status: string(STATUS),
  });
  const phase = object('', { message: string(), name: string(), status: string(STATUS), steps: nullable(list(step)) });
  const plan = object('', {
    lastUpdatedTimestamp: nullable({ type: 'string', format: 'date-time' }),
    message: string(),
    name: string(),
    phases: nullable(list(phase)),
    status: string(STATUS),
    uid: string('The execution that this is the status of.'),
  });
  return object('', {
    conditions: list(conditionSchema(), '"Ready", and while they hold "Stalled" and "ChangePending".'),
    healthChecks: list(healthCheckSchema(), 'The results of the health checks that the operator declares.'),
    planStatus: map(plan, 'One entry for each plan.'),
  });
}

function healthCheckSchema(): JsonObject {
  const time = { type: 'string', format: 'date-time' };
  return object('', {
    name: string(),
    status: string('Passing, Failing, Unknown or Simulated.'),
    message: string('One line.'),
    pod: string('The pod that the message is about.'),
    lastTransitionTime: { ...time, description: 'When the status changed.' },
    lastProbeTime: { ...time, description: 'When the check ran last, as far as it was written.' },
  });
}

const STATUS = 'NEVER_RUN, PENDING, IN_PROGRESS, ERROR, COMPLETE or FATAL_ERROR.';

/** meta/v1 Condition with its upstream limits. */
function conditionSchema(): JsonObject {
  return {
    type: 'object',
    required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
    properties: {
      lastTransitionTime: { type: 'string', format: 'date-time' },
      message: { type: 'string', maxLength: 32768 },
      observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
      reason: { type: 'string', maxLength: 1024, minLength: 1, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      type: {
        type: 'string',
        maxLength: 316,
        pattern:
          '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
      },
    },
  };
}
