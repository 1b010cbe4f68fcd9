import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { stringAt } from '@/lib/json/json';
import { defaultInstallation } from '@/lib/kudo/installation/manifest-files';
import type { InstallationOptions } from '@/lib/kudo/installation/options';
import { controllerRights } from '@/lib/kudo/installation/rights';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { readWebhookSettings } from '@/server/config/webhook';
import { plainCluster } from '@/server/kube/credentials';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { namespacedApi } from '@/server/kube/namespaced-api';
import { type ProcessController, runController } from '@/server/workers/run-controller';
import {
  controllerOptions,
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  getInstance,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { targetOf } from './init/object-target';

const HOME = 'kudo-system';
const SERVICE_ACCOUNTS = { group: '', version: 'v1', resource: 'serviceaccounts', namespace: HOME };

/** A Deployment, a Secret and a Role: what packages contain most. */
const SPEC = {
  version: '1',
  templates: {
    'all.yaml': [
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: '{{ .Name }}' }, stringData: { a: 'b' } },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: '{{ .Name }}' },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      },
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: '{{ .Name }}' },
        spec: {
          selector: { matchLabels: { app: '{{ .Name }}' } },
          template: {
            metadata: { labels: { app: '{{ .Name }}' } },
            spec: { containers: [{ name: 'web', image: 'nginx' }] },
          },
        },
      },
    ]
      .map((object) => JSON.stringify(object))
      .join('\n---\n'),
  },
  tasks: [{ name: 'all', kind: 'Apply', spec: { resources: ['all.yaml'] } }],
  plans: {
    deploy: { strategy: 'serial', phases: [{ name: 'p', strategy: 'serial', steps: [{ name: 's', tasks: ['all'] }] }] },
  },
} satisfies OperatorVersionSpec;

/** A controller with the rights of an installation, and with nothing else. */
async function startWithRights(engine: Engine, more: Partial<InstallationOptions>) {
  const options = { ...defaultInstallation('1'), ...more };
  for (const object of controllerRights(options))
    await engine.api.create({ ...targetOf(object), name: undefined }, object);
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {}, spec: {} };
  const issued = await engine.api.create({ ...SERVICE_ACCOUNTS, name: 'kudo-manager' }, review, {
    subresource: 'token',
  });
  const { url: server, caPem: ca } = engine.sandbox;
  const cluster = plainCluster({ server, ca, token: stringAt(issued, 'status', 'token') ?? '' });
  const connected = createApi(cluster, { clock: systemClock });
  const api = namespacedApi(connected, { namespaces: options.namespaces, clock: systemClock });
  const webhook = readWebhookSettings(options.namespaces.length > 0 ? { BRAVO_WEBHOOK: 'off' } : {});
  const controller = await runController({ ...controllerOptions(api), cluster, webhook, leaseNamespace: HOME });
  return { api, controller };
}

describe.each([
  ['Roles in two namespaces', { namespaces: ['team-a', 'team-b'] }],
  ['the narrow ClusterRole', {}],
])('a controller with %s', (_rights, more: Partial<InstallationOptions>) => {
  let engine: Engine;
  let started: { api: ClosableApi; controller: ProcessController };

  beforeAll(async () => {
    engine = await startEngine({ controller: false });
    for (const name of [HOME, 'team-a', 'team-b', 'team-c']) await createNamespace(engine.api, name);
    started = await startWithRights(engine, more);
  });
  afterAll(async () => {
    await started?.controller.stop();
    await started?.api.close();
    await engine?.stop();
  });

  it('leads, is ready, and runs the plans of each of them', async () => {
    await eventually('the controller leads', async () => started.controller.leads);
    await eventually('the controller is ready', async () => started.controller.unready().length === 0);
    for (const namespace of ['team-a', 'team-b']) {
      await createInstance(engine.api, namespace, 'web', await createOperator(engine.api, namespace, 'web', SPEC));
      await planEnds(engine.api, namespace, 'web', { plan: 'deploy' });
    }
  });

  it('acts in another namespace only with the ClusterRole', async () => {
    await createInstance(engine.api, 'team-c', 'web', await createOperator(engine.api, 'team-c', 'web', SPEC));
    if (more.namespaces === undefined) {
      await planEnds(engine.api, 'team-c', 'web', { plan: 'deploy' });
      return;
    }
    // The next plan of a namespace of its own comes after whatever it would have done there.
    await createInstance(engine.api, 'team-a', 'later', 'web-1');
    await planEnds(engine.api, 'team-a', 'later', { plan: 'deploy' });
    expect((await getInstance(engine.api, 'team-c', 'web'))?.status).toBeUndefined();
  });
});
