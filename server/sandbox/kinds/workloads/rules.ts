import type { CheckedField } from '../base/checked-field';
import type { KindRules } from '../base/kind-rules';
import type { StrategyContext } from '../base/strategy';
import { warnTemplateSecurity } from '../pods/pod-security';
import {
  defaultCronJob,
  defaultDaemonSet,
  defaultDeployment,
  defaultJob,
  defaultReplicaSet,
  defaultStatefulSet,
  generateSelector,
  markTemplate,
} from './defaults';
import {
  checkReplicas,
  validateDaemonSet,
  validateDeployment,
  validateFixedSelector,
  validateReplicaSet,
  validateStatefulSet,
  validateStatefulSetUpdate,
} from './validate';
import { validateCronJob, validateJob, validateJobStatus, validateJobUpdate } from './validate-jobs';

/** A valid workload whose pods a namespace would rather not have gets a warning. */
function withSecurity(
  validate: (object: CheckedField) => void,
): (object: CheckedField, context: StrategyContext) => void {
  return (object, context) => {
    validate(object);
    if (object.faults.length === 0) warnTemplateSecurity(object.object, context);
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
    validateStatus: checkReplicas('updatedReplicas', 'readyReplicas', 'availableReplicas'),
    validateUpdate: validateFixedSelector,
  },
  'apps/ReplicaSet': {
    hasGeneration: true,
    defaults: defaultReplicaSet,
    validate: withSecurity(validateReplicaSet),
    validateStatus: checkReplicas('fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'),
    validateUpdate: validateFixedSelector,
  },
  'apps/StatefulSet': {
    hasGeneration: true,
    defaults: defaultStatefulSet,
    validate: withSecurity(validateStatefulSet),
    validateStatus: checkReplicas('readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'),
    validateUpdate: validateStatefulSetUpdate,
  },
  'apps/DaemonSet': {
    hasGeneration: true,
    defaults: defaultDaemonSet,
    prepareCreate: (object) => markTemplate(object),
    prepareUpdate: markTemplate,
    validate: withSecurity(validateDaemonSet),
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
};
