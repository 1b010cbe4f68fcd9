import type { KindRules } from '../kind-rules';
import { validateRuntimeClass, validateRuntimeClassUpdate } from './validate-runtime-class';

/** The rules of the group node.k8s.io. */
export const nodeRules: { readonly [kind: string]: KindRules } = {
  'node.k8s.io/RuntimeClass': { validate: validateRuntimeClass, validateUpdate: validateRuntimeClassUpdate },
};
