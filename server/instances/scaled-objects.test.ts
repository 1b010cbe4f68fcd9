import { expect, it } from 'vitest';
import { scriptedApi, statusBody } from '@/server/kube/test-api';
import { scaledObjects } from './scaled-objects';

const autoscaler = {
  apiVersion: 'autoscaling/v1',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'h', namespace: 'shop' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 5 },
};

it('finds the targets of autoscalers also in Kubernetes before 1.23, which does not serve autoscaling/v2', async () => {
  const { api } = scriptedApi(({ path }) =>
    path.startsWith('/apis/autoscaling/v1/namespaces/shop/horizontalpodautoscalers')
      ? { body: { metadata: {}, items: [autoscaler] } }
      : { status: 404, body: statusBody(404, 'NotFound') },
  );
  expect([...(await scaledObjects(api, 'shop'))]).toEqual(['Deployment/web']);
});

it('is empty when autoscalers cannot be read', async () => {
  const { api } = scriptedApi(() => ({ status: 403, body: statusBody(403, 'Forbidden') }));
  expect((await scaledObjects(api, 'shop')).size).toBe(0);
});
