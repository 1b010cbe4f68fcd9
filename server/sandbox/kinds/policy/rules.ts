import type { JsonObject } from '@/lib/json/json';
import { ensureObject, fill, objectOf } from '../base/access';
import { type KindRules, WHOLE_METADATA } from '../base/kind-rules';

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

/** The rules of autoscalers and of the smaller kinds that only have a generation. */
export const policyRules: { readonly [kind: string]: KindRules } = {
  'autoscaling/HorizontalPodAutoscaler': {
    defaults: defaultAutoscaler,
    prepareCreate(object) {
      // Of all that an autoscaler has not seen yet, only this is written.
      if (object.apiVersion === 'autoscaling/v2') fill(ensureObject(object, 'status'), { currentMetrics: null });
    },
  },
  'flowcontrol.apiserver.k8s.io/FlowSchema': { hasGeneration: true, keptByStatus: WHOLE_METADATA },
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': { hasGeneration: true, keptByStatus: WHOLE_METADATA },
  'resource.k8s.io/DeviceClass': { hasGeneration: true },
  'resource.k8s.io/ResourceSlice': { hasGeneration: true },
};
