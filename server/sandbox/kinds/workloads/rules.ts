import { ensureObject } from '../access';
import type { KindRules } from '../kind-rules';
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

/** The rules of the kinds that make pods. */
export const workloadRules: { readonly [kind: string]: KindRules } = {
  'apps/Deployment': { hasGeneration: true, defaults: defaultDeployment },
  'apps/ReplicaSet': { hasGeneration: true, defaults: defaultReplicaSet },
  'apps/StatefulSet': { hasGeneration: true, defaults: defaultStatefulSet },
  'apps/DaemonSet': { hasGeneration: true, defaults: defaultDaemonSet },
  '/ReplicationController': { hasGeneration: true, defaults: defaultReplicationController },
  'batch/Job': {
    hasGeneration: true,
    defaults: defaultJob,
    prepareCreate: generateSelector,
  },
  'batch/CronJob': { hasGeneration: true, defaults: defaultCronJob },
  'apps/ControllerRevision': {},
  'policy/PodDisruptionBudget': { hasGeneration: true, defaults: (object) => void ensureObject(object, 'spec') },
};
