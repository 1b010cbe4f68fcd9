import type { JsonObject } from '@/lib/json/json';
import { ensureObject, objectOf } from '../base/access';
import type { Faults, KindRules } from '../base/kind-rules';
import type { StrategyContext } from '../base/strategy';
import { warnTemplateSecurity } from '../pods/pod-security';
import { validateBudget } from '../policy/validate';
import { markTemplate } from './daemon-generation';
import {
  defaultCronJob,
  defaultDaemonSet,
  defaultDeployment,
  defaultJob,
  defaultReplicaSet,
  defaultStatefulSet,
} from './defaults';
import { generateSelector } from './job-selector';
import {
  validateDaemonSet,
  validateDeployment,
  validateFixedSelector,
  validateReplicaSet,
  validateStatefulSet,
  validateStatefulSetUpdate,
} from './validate';
import { validateCronJob, validateJob, validateJobUpdate } from './validate-jobs';
import { checkCounts, checkReplicas, validateJobStatus } from './validate-status';

const BUDGET_COUNTS = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'];

const DAEMON_COUNTS = `currentNumberScheduled numberMisscheduled desiredNumberScheduled numberReady observedGeneration
  updatedNumberScheduled numberAvailable numberUnavailable`.split(/\s+/);

type Validate = (object: JsonObject, faults: Faults) => void;

/** A valid workload whose pods a namespace would rather not have gets a warning. */
function withSecurity(validate: Validate): (object: JsonObject, faults: Faults, context: StrategyContext) => void {
  return (object, faults, context) => {
    validate(object, faults);
    const spec = objectOf(objectOf(objectOf(object, 'spec'), 'template'), 'spec');
    if (faults.length === 0 && context.warn !== undefined) warnTemplateSecurity(object, spec, context);
  };
}

/** The rules of the kinds that make pods. */
export const workloadRules: { readonly [kind: string]: KindRules } = {
  'apps/Deployment': {
    hasGeneration: true,
    // They are copied to its ReplicaSets.
    annotationsMakeGeneration: true,
    keptByStatus: ['labels'],
    defaults: defaultDeployment,
    validate: withSecurity(validateDeployment),
    validateStatus: checkReplicas(['updatedReplicas', 'readyReplicas', 'availableReplicas']),
    validateUpdate: validateFixedSelector,
  },
  'apps/ReplicaSet': {
    hasGeneration: true,
    defaults: defaultReplicaSet,
    validate: withSecurity(validateReplicaSet),
    validateStatus: checkReplicas(['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']),
    validateUpdate: validateFixedSelector,
  },
  'apps/StatefulSet': {
    hasGeneration: true,
    defaults: defaultStatefulSet,
    validate: withSecurity(validateStatefulSet),
    validateStatus: checkReplicas(['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas']),
    validateUpdate: validateStatefulSetUpdate,
  },
  'apps/DaemonSet': {
    hasGeneration: true,
    defaults: defaultDaemonSet,
    prepareCreate: (object) => markTemplate(object, undefined),
    prepareUpdate: markTemplate,
    validate: withSecurity(validateDaemonSet),
    validateStatus: checkCounts(DAEMON_COUNTS),
    validateUpdate: validateFixedSelector,
  },
  '/ReplicationController': { hasGeneration: true },
  'batch/Job': {
    hasGeneration: true,
    defaults: defaultJob,
    prepareCreate: generateSelector,
    validate: withSecurity(validateJob),
    validateStatus: validateJobStatus,
    validateUpdate: validateJobUpdate,
  },
  'batch/CronJob': { hasGeneration: true, defaults: defaultCronJob, validate: validateCronJob },
  'apps/ControllerRevision': {},
  'policy/PodDisruptionBudget': {
    hasGeneration: true,
    defaults: (object) => void ensureObject(object, 'spec'),
    validate: validateBudget,
    validateStatus: checkCounts(BUDGET_COUNTS),
  },
};
