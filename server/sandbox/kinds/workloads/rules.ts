import { ensureObject } from '../access';
import type { KindRules } from '../kind-rules';
import { validateBudget } from '../policy/validate';
import { markTemplate } from './daemon-generation';
import {
  defaultCronJob,
  defaultDaemonSet,
  defaultDeployment,
  defaultJob,
  defaultReplicaSet,
  defaultReplicationController,
  defaultStatefulSet,
} from './defaults';
import { generateSelector } from './job-selector';
import {
  validateDaemonSet,
  validateDeployment,
  validateFixedSelector,
  validateReplicaSet,
  validateReplicationController,
  validateStatefulSet,
  validateStatefulSetUpdate,
} from './validate';
import { validateCronJob, validateJob, validateJobUpdate } from './validate-jobs';
import { checkCounts, checkReplicas, validateJobStatus } from './validate-status';

const BUDGET_COUNTS = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'];

const DAEMON_COUNTS = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
];

/** The rules of the kinds that make pods. */
export const workloadRules: { readonly [kind: string]: KindRules } = {
  'apps/Deployment': {
    hasGeneration: true,
    defaults: defaultDeployment,
    validate: validateDeployment,
    validateStatus: checkReplicas(['updatedReplicas', 'readyReplicas', 'availableReplicas'], 'readyReplicas'),
    validateUpdate: validateFixedSelector,
  },
  'apps/ReplicaSet': {
    hasGeneration: true,
    defaults: defaultReplicaSet,
    validate: validateReplicaSet,
    validateStatus: checkReplicas(['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'], 'readyReplicas'),
    validateUpdate: validateFixedSelector,
  },
  'apps/StatefulSet': {
    hasGeneration: true,
    defaults: defaultStatefulSet,
    validate: validateStatefulSet,
    validateStatus: checkReplicas(
      ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
      'status.readyReplicas',
    ),
    validateUpdate: validateStatefulSetUpdate,
  },
  'apps/DaemonSet': {
    hasGeneration: true,
    defaults: defaultDaemonSet,
    prepareCreate: (object) => markTemplate(object, undefined),
    prepareUpdate: markTemplate,
    validate: validateDaemonSet,
    validateStatus: checkCounts(DAEMON_COUNTS),
    validateUpdate: validateFixedSelector,
  },
  '/ReplicationController': {
    hasGeneration: true,
    defaults: defaultReplicationController,
    validate: validateReplicationController,
  },
  'batch/Job': {
    hasGeneration: true,
    defaults: defaultJob,
    prepareCreate: generateSelector,
    validate: validateJob,
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
