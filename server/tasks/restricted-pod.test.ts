import { describe, expect, it } from 'vitest';
import { errorOfResponse } from '@/server/kube/errors';
import { isPodSecurityRefusal, restrictedPod } from './restricted-pod';

const pod = (spec: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: spec as never });

describe('a pod for a namespace with Pod Security restricted', () => {
  it('gets what the level asks for', () => {
    const { spec } = restrictedPod(pod({ initContainers: [{ name: 'make' }], containers: [{ name: 'waiter' }] }));
    const container = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
    expect(spec).toEqual({
      securityContext: { runAsNonRoot: true, runAsUser: 65534, seccompProfile: { type: 'RuntimeDefault' } },
      initContainers: [{ name: 'make', securityContext: container }],
      containers: [{ name: 'waiter', securityContext: container }],
    });
  });

  it('keeps what the package says itself', () => {
    const own = {
      securityContext: { runAsUser: 1000, fsGroup: 1000, seccompProfile: { type: 'Localhost' } },
      initContainers: [{ name: 'make', securityContext: { capabilities: { drop: ['NET_RAW'] }, runAsUser: 7 } }],
      containers: [{ name: 'rich', securityContext: { privileged: true } }],
    };
    expect(restrictedPod(pod(own)).spec).toEqual({
      securityContext: { ...own.securityContext, runAsNonRoot: true },
      initContainers: [
        {
          name: 'make',
          securityContext: { capabilities: { drop: ['NET_RAW'] }, runAsUser: 7, allowPrivilegeEscalation: false },
        },
      ],
      containers: own.containers,
    });
  });

  it('is asked for by one answer of the API alone', () => {
    const answer = (message: string, code = 403) =>
      errorOfResponse(code, JSON.stringify({ kind: 'Status', code, message, reason: 'Forbidden' }));
    const words = 'pods "p" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true';
    expect(isPodSecurityRefusal(answer(words))).toBe(true);
    expect(isPodSecurityRefusal(answer('pods "p" is forbidden: exceeded quota'))).toBe(false);
    expect(isPodSecurityRefusal(answer(words, 422))).toBe(false);
  });
});
