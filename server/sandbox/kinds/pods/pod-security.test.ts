import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { podSecurityFaults } from './pod-security';

const container = (securityContext: JsonObject, rest: JsonObject = {}): JsonObject => ({
  name: 'app',
  image: 'i',
  securityContext,
  ...rest,
});

describe('podSecurityFaults', () => {
  const good = {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  };

  it('allows everything to the privileged', () => {
    expect(podSecurityFaults({ hostPID: true, containers: [container({ privileged: true })] }, 'privileged')).toEqual(
      [],
    );
  });

  it('names what the baseline does not allow', () => {
    const spec = {
      hostNetwork: true,
      volumes: [{ name: 'h', hostPath: { path: '/' } }],
      containers: [
        container({ privileged: true, capabilities: { add: ['SYS_ADMIN'] } }, { ports: [{ hostPort: 80 }] }),
      ],
    };
    expect(podSecurityFaults(spec, 'baseline')).toEqual([
      'non-default capabilities (container "app" must not include "SYS_ADMIN" in securityContext.capabilities.add)',
      'host namespaces (hostNetwork=true)',
      'hostPath volumes (volume "h")',
      'hostPort (container "app" uses hostPort 80)',
      'privileged (container "app" must not set securityContext.privileged=true)',
    ]);
  });

  it('asks more of the restricted, and is content with a pod that gives it', () => {
    expect(
      podSecurityFaults({ containers: [container({})] }, 'restricted').map((fault) => fault.split(' (')[0]),
    ).toEqual([
      'allowPrivilegeEscalation != false',
      'unrestricted capabilities',
      'runAsNonRoot != true',
      'seccompProfile',
    ]);
    expect(podSecurityFaults({ containers: [container(good)] }, 'restricted')).toEqual([]);
  });
});
