import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appliedObjects, makeKudos } from '@/e2e/compat/takeover/as-kudo-left-it';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { RECORD_SECRET_TYPE } from '@/server/runs/record-secret';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { sharedPath } from '@/test/golden/shared-path';
import { apply, plan, remove } from '@/test/operators/templates';

/** What the golden renderings hold of published packages: their templates and parameters, without operator.yaml. */
interface Catalogue {
  readonly packages: {
    readonly [name: string]: {
      readonly operator: string;
      readonly operatorVersion: string;
      readonly appVersion: string;
      readonly parameters: readonly (readonly [name: string, type: string, stored: string | null])[];
    };
  };
  readonly templates: { readonly [reference: string]: string };
  readonly cases: readonly { readonly package: string; readonly name: string; readonly templateRef: string }[];
}

const path = sharedPath('golden/templates/realworld.json');
const catalogue: Catalogue =
  path === undefined ? { packages: {}, templates: {}, cases: [] } : JSON.parse(readFileSync(path, 'utf8'));

/** The newest version of each operator (the data of older ones lacks unchanged templates), and an edit of one parameter. */
const NEWEST: readonly (readonly [name: string, parameter: string, value: string])[] = [
  ['cassandra-1.0.1-3.11.6', 'NODE_COUNT', '4'],
  ['confluent-rest-proxy-0.3.0-5.3.2', 'NODE_COUNT', '2'],
  ['elastic-0.2.2-7.0.0', 'COORDINATOR_NODE_COUNT', '2'],
  ['flink-0.2.1-1.7.2', 'flink_taskmanager_replicas', '3'],
  ['rabbitmq-0.1.1-3.8.0', 'NODE_COUNT', '4'],
  ['redis-0.2.0-5.0.1', '', ''],
  ['shoppingcartapp-0.1.0', '', ''],
  ['spark-1.1.0-3.0.0', 'logLevel', '4'],
];

/** Templates that a cluster with Prometheus needs. */
const LEFT_OUT = /service-monitor|spark-monitoring/;
/** Templates that others wait for, in the order of the package. */
const FIRST = /crds|serviceaccount|rbac|webhook-init/;

/** @param outside values with which `external-service.yaml` makes a Service */
function specOf(name: string, outside: { readonly [parameter: string]: string } = {}): OperatorVersionSpec {
  const found = catalogue.packages[name];
  const templates: { [file: string]: string } = {};
  for (const each of catalogue.cases) {
    if (each.package !== name || LEFT_OUT.test(each.name)) continue;
    if (each.name === 'external-service.yaml' && Object.keys(outside).length === 0) continue;
    templates[each.name] = catalogue.templates[each.templateRef] ?? '';
  }
  const files = Object.keys(templates).sort();
  const first = files.filter((file) => FIRST.test(file));
  const steps: [string, ...string[]][] =
    first.length === 0
      ? [['all', 'all']]
      : [
          ['first', 'first'],
          ['all', 'all'],
        ];
  return {
    version: found?.operatorVersion ?? '',
    appVersion: found?.appVersion ?? '',
    templates,
    parameters: (found?.parameters ?? []).map(([parameter, type, stored]) => ({
      name: parameter,
      'value-type': type,
      ...(stored === null ? {} : { default: outside[parameter] ?? stored }),
    })),
    tasks: [
      ...(first.length === 0 ? [] : [apply('first', ...first)]),
      apply('all', ...files.filter((file) => !first.includes(file))),
      remove('gone', ...files.filter((file) => !file.includes('crds'))),
    ],
    plans: { deploy: plan(...steps), cleanup: plan(['gone', 'gone']) },
  };
}

describe.skipIf(path === undefined)('a published operator (needs ../shared)', () => {
  let engine: VirtualEngine;
  let lab: Lab;

  beforeEach(async () => {
    engine = await startVirtualEngine();
    lab = await Lab.open(engine, 'field');
    await engine.startController();
  });
  afterEach(() => engine?.stop());

  /** Writes of rendered objects since the last call. */
  const written = () => {
    const calls = engine.calls.splice(0);
    const own = calls.filter(
      ({ method, path: to, body }) =>
        method !== 'GET' && !/instances|leases|events|planruns|bravo-/.test(to) && body?.type !== RECORD_SECRET_TYPE,
    );
    return own.map(({ method, path: to }) => `${method} ${to.split('/').at(-1)}`);
  };
  const again = (uid: string) => lab.edit('app', { planExecution: { planName: 'deploy', uid } }, 'deploy');

  it.each(NEWEST)(
    '%s deploys, writes nothing at rest, is taken over, edited and cleaned up',
    async (name, parameter, value) => {
      await lab.create('app', await lab.operator(catalogue.packages[name]?.operator ?? '', specOf(name)));
      await lab.ends('app', 'deploy');
      written();
      await again('again');
      expect(written()).toEqual([]);
      await engine.stopController();
      await makeKudos(engine, 'field');
      written();
      await engine.startController();
      await again('taken');
      expect(written()).toEqual([]);
      if (parameter !== '') {
        await lab.edit('app', { parameters: { [parameter]: value } }, 'deploy');
        expect(written().length).toBeGreaterThan(0);
      }
      await lab.remove('instances', 'app');
      await engine.until('the Instance is deleted', () => lab.find('instances', 'app') === undefined);
      expect([...appliedObjects(engine, 'field').keys()]).toEqual([]);
    },
  );
  it('with a Service of type LoadBalancer is deployed when the load balancer has an address', async () => {
    const spec = specOf('cassandra-1.0.1-3.11.6', { EXTERNAL_NATIVE_TRANSPORT: 'true' });
    await lab.create('app', await lab.operator('cassandra', spec));
    await lab.ends('app', 'deploy');
    expect(lab.find('services', 'app-svc-external')).toMatchObject({
      spec: { type: 'LoadBalancer', healthCheckNodePort: expect.any(Number) },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
    });
  });
});
