import type { JsonObject } from '@/lib/json/json';
import { asInternal, ensureObject, fill, objectOf } from '../base/access';
import type { CheckedField } from '../base/checked-field';
import type { KindRules } from '../base/kind-rules';
import { checkLabelSelector } from '../validation/selectors';
import { checkAtMostAll, checkIntsOrPercents } from '../validation/values';

const CPU_METRIC = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};

function defaultAutoscaler(object: JsonObject): void {
  const spec = ensureObject(object, 'spec');
  fill(spec, { minReplicas: 1 });
  if (object.apiVersion === 'autoscaling/v1') return;
  if (spec.metrics === undefined) spec.metrics = [structuredClone(CPU_METRIC)];
  const behavior = objectOf(spec, 'behavior');
  if (behavior === undefined) return;
  fill(ensureObject(behavior, 'scaleUp'), {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  });
  fill(ensureObject(behavior, 'scaleDown'), {
    selectPolicy: 'Max',
    policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
  });
}

/** A PodDisruptionBudget (Kubernetes pkg/apis/policy/validation). */
function validateBudget(object: CheckedField): void {
  const spec = object.at('spec');
  const counts = ['minAvailable', 'maxUnavailable'];
  if (spec.given(...counts).length === 2) {
    spec.invalid('minAvailable and maxUnavailable cannot be both set', asInternal(spec.object));
  }
  checkIntsOrPercents(spec, ...counts);
  for (const field of spec.given(...counts)) checkAtMostAll(field);
  checkLabelSelector(spec.at('selector'));
  spec.at('unhealthyPodEvictionPolicy').oneOf(['AlwaysAllow', 'IfHealthyBudget']);
}

/** The rules of autoscalers and budgets. */
export const policyRules: { readonly [kind: string]: KindRules } = {
  'autoscaling/HorizontalPodAutoscaler': {
    defaults: defaultAutoscaler,
    prepareCreate(object) {
      // Of all that an autoscaler has not seen yet, only this is written.
      if (object.apiVersion === 'autoscaling/v2') fill(ensureObject(object, 'status'), { currentMetrics: null });
    },
  },
  'policy/PodDisruptionBudget': {
    hasGeneration: true,
    defaults: (object) => void ensureObject(object, 'spec'),
    validate: validateBudget,
  },
};
