import { describe, expect, it } from 'vitest';
import { withoutRecordNoise } from './record-noise';

describe('a record that KUDO wrote', () => {
  it('loses what only Go wrote', () => {
    const record = {
      kind: 'StatefulSet',
      apiVersion: 'apps/v1',
      metadata: { name: 'db', creationTimestamp: null },
      spec: {
        replicas: 3,
        serviceName: '',
        updateStrategy: {},
        template: {
          metadata: { creationTimestamp: null },
          spec: { containers: [{ name: 'db', resources: {} }], nodeSelector: null },
        },
        volumeClaimTemplates: [
          { metadata: { name: 'data', creationTimestamp: null }, spec: { resources: {} }, status: {} },
        ],
      },
      status: { replicas: 0 },
    };
    expect(withoutRecordNoise(record)).toEqual({
      kind: 'StatefulSet',
      apiVersion: 'apps/v1',
      metadata: { name: 'db' },
      spec: {
        replicas: 3,
        template: { spec: { containers: [{ name: 'db' }] } },
        volumeClaimTemplates: [{ metadata: { name: 'data' } }],
      },
    });
    const service = { spec: { ports: [{ port: 80, targetPort: 0 }] }, status: { loadBalancer: {} } };
    expect(withoutRecordNoise(service)).toEqual({ spec: { ports: [{ port: 80 }] } });
  });

  it('keeps what a template may have said, so that its removal is seen', () => {
    const spoken = {
      spec: {
        replicas: 0,
        paused: false,
        template: { spec: { volumes: [{ name: 'tmp', emptyDir: {} }], securityContext: {} } },
        versions: [{ schema: { openAPIV3Schema: { properties: { status: { type: 'object' } } } } }],
      },
      data: { text: '' },
    };
    expect(withoutRecordNoise(spoken)).toEqual(spoken);
  });
});
