import { describe, expect, it } from 'vitest';
import { getAt, type JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { ConfigError } from './config-sources';
import { processOf, runtimeSpec, type SpecInput, userOf } from './runtime-spec';

const USERS = 'root:x:0:0:root:/root:/bin/sh\npostgres:x:999:998::/var/lib/postgresql:/bin/bash\n';

function podOf(spec: JsonObject = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-0', namespace: 'shop', uid: 'u1' }, spec };
}

function input(container: JsonObject, pod = podOf()): SpecInput {
  return {
    ...{
      pod,
      container,
      args: ['true'],
      workingDir: '/',
      users: USERS,
      rootPath: '/root',
      networkNamespace: '/run/netns/u1',
    },
    ...{
      env: new Map([['COLOR', 'red']]),
      mounts: [{ source: '/v', destination: '/data', readOnly: true }],
      cgroupPath: '/node/c',
    },
  };
}

describe('the OCI config of a container', () => {
  it('has namespaces of its own, and the network of its pod', () => {
    const spec = runtimeSpec(input({ name: 'main' }));
    expect(getAt(spec, 'linux', 'namespaces')).toEqual([
      ...[{ type: 'pid' }, { type: 'mount' }, { type: 'ipc' }, { type: 'uts' }],
      { type: 'network', path: '/run/netns/u1' },
    ]);
    expect(spec.hostname).toBe('web-0');
    expect(getAt(spec, 'process', 'env')).toEqual(['COLOR=red']);
  });

  it('limits memory, and mounts what is read-only as such', () => {
    const spec = runtimeSpec(input({ name: 'main', resources: { limits: { memory: '64Mi' } } }));
    expect(getAt(spec, 'linux', 'resources', 'memory')).toEqual({ limit: 64 * 1024 * 1024 });
    expect(spec.mounts).toContainEqual({
      ...{ destination: '/data', type: 'bind', source: '/v', options: ['rbind', 'rprivate', 'ro'] },
    });
  });

  it('leaves out oomScoreAdj, with which runc fails where CAP_SYS_RESOURCE is missing', () => {
    expect(getAt(runtimeSpec(input({ name: 'main' })), 'process', 'oomScoreAdj')).toBeUndefined();
  });

  it('drops and adds capabilities', () => {
    const bounding = (securityContext: JsonObject) =>
      getAt(processOf(input({ name: 'main', securityContext })), 'capabilities', 'bounding');
    expect(bounding({ capabilities: { drop: ['ALL'], add: ['NET_ADMIN'] } })).toEqual(['CAP_NET_ADMIN']);
    expect(bounding({ capabilities: { drop: ['CHOWN'] } })).not.toContain('CAP_CHOWN');
    expect(bounding({})).toContain('CAP_CHOWN');
  });
});

describe('the user of a container', () => {
  it('is that of the container over that of the pod', () => {
    const pod = podOf({ securityContext: { runAsUser: 1000, fsGroup: 3000, supplementalGroups: [4000] } });
    expect(userOf(pod, {}, USERS)).toEqual({ uid: 1000, gid: 0, groups: [0, 3000, 4000] });
    expect(userOf(pod, { securityContext: { runAsUser: 5, runAsGroup: 6 } }, USERS)).toMatchObject({ uid: 5, gid: 6 });
  });

  it('has the group of the image, when no group is asked for', () => {
    expect(userOf(podOf({ securityContext: { runAsUser: 999 } }), {}, USERS).gid).toBe(998);
  });

  it('is not root when runAsNonRoot forbids it', () => {
    const pod = podOf({ securityContext: { runAsNonRoot: true } });
    expect(() => userOf(pod, { name: 'main' }, USERS)).toThrow(ConfigError);
  });
});
