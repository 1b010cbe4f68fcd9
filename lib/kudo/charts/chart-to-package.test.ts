import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { TEST_CHARTS, testChart } from '@/test/charts/read-test-chart';
import { renderConverted } from '../manifests/render-converted-fixture';
import { parsePackage } from '../package/parse-package';
import { decodeObjects } from '../rendering/decode';
import { verifyPackage } from '../verify/verify';
import { chartToPackage } from './chart-to-package';
import { ChartEvaluator } from './evaluate-chart';
import { readChart } from './read-chart';

const RELEASE = { name: 'one', namespace: 'trade' };

const results = new Map(
  TEST_CHARTS.map((name) => {
    const result = chartToPackage(testChart(name));
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    return [name as string, result.converted];
  }),
);

function converted(name: string) {
  const found = results.get(name);
  if (found === undefined) throw new Error(name);
  return found;
}

function packageOf(name: string) {
  const parsed = parsePackage(converted(name).files);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.package;
}

/** Objects as the API server sees them: without members that are null, in any order. */
function comparable(objects: readonly unknown[]): JsonValue[] {
  const seen = new Set(objects.map((object) => JSON.stringify(plain(object as JsonValue))));
  return [...seen].sort().map((text) => JSON.parse(text));
}

function plain(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(plain);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).filter((name) => value[name] !== null);
  return Object.fromEntries(names.sort().map((name) => [name, plain(value[name] ?? null)]));
}

/** What Helm would install, hooks and definitions of crds/ included. */
function ofChart(name: string, overrides: JsonObject): JsonValue[] {
  const chart = testChart(name);
  const texts = [...new ChartEvaluator(chart).render(overrides, RELEASE).values(), ...chart.crds.values()];
  return comparable(texts.flatMap((text) => decodeObjects('chart', text)));
}

/** What all plans of the package apply. */
function ofPackage(name: string, parameters: { [name: string]: string }): JsonValue[] {
  const plans = Object.keys(packageOf(name).operator.plans);
  const options = { ...RELEASE, parameters };
  return comparable(plans.flatMap((plan) => renderConverted(converted(name).files, { ...options, plan })));
}

/** Values of the chart, and the same as parameters of the package. */
const CHANGES: { [chart: string]: [overrides: JsonObject, parameters: { [name: string]: string }][] } = {
  web: [
    [
      {
        ingress: {
          enabled: true,
          className: 'nginx',
          annotations: { a: 'b' },
          hosts: [{ host: 'h', paths: [{ path: '/x', pathType: 'Prefix' }, { path: '/y' }] }],
          tls: [{ secretName: 's', hosts: ['h', 'i'] }],
        },
        fullnameOverride: 'other',
      },
      {
        INGRESS_ENABLED: 'true',
        INGRESS_CLASS_NAME: 'nginx',
        INGRESS_ANNOTATIONS: '{a: b}',
        INGRESS_HOSTS: '[{host: h, paths: [{path: /x, pathType: Prefix}, {path: /y}]}]',
        INGRESS_TLS: '[{secretName: s, hosts: [h, i]}]',
        FULLNAME_OVERRIDE: 'other',
      },
    ],
    [
      {
        autoscaling: { enabled: true },
        serviceAccount: { create: false },
        resources: { limits: { cpu: 1 } },
        service: { port: 8080 },
      },
      {
        AUTOSCALING_ENABLED: 'true',
        SERVICE_ACCOUNT_CREATE: 'false',
        RESOURCES: '{limits: {cpu: 1}}',
        SERVICE_PORT: '8080',
      },
    ],
    [
      { nameOverride: 'one', podLabels: { x: 'yes' }, extraEnv: [] },
      { NAME_OVERRIDE: 'one', POD_LABELS: '{x: "yes"}', EXTRA_ENV: '[]' },
    ],
  ],
  cache: [
    [
      {
        architecture: 'standalone',
        metrics: { enabled: true, port: 1 },
        global: { imageRegistry: 'mirror', imagePullSecrets: ['pull'] },
      },
      {
        ARCHITECTURE: 'standalone',
        METRICS_ENABLED: 'true',
        METRICS_PORT: '1',
        GLOBAL_IMAGE_REGISTRY: 'mirror',
        GLOBAL_IMAGE_PULL_SECRETS: '[pull]',
      },
    ],
    [
      {
        commonConfiguration: 'a\nb\n  c: d',
        master: { configuration: 'x\ny' },
        commonLabels: { team: 'a', b: '1' },
        auth: { enabled: false },
      },
      {
        COMMON_CONFIGURATION: 'a\nb\n  c: d',
        MASTER_CONFIGURATION: 'x\ny',
        COMMON_LABELS: '{team: a, b: "1"}',
        AUTH_ENABLED: 'false',
      },
    ],
    [
      {
        pdb: { create: true, minAvailable: '1' },
        global: { storageClass: '-' },
        extraDeploy: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } }],
      },
      {
        PDB_CREATE: 'true',
        PDB_MIN_AVAILABLE: '1',
        GLOBAL_STORAGE_CLASS: '-',
        EXTRA_DEPLOY: '[{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}]',
      },
    ],
  ],
  database: [
    [
      {
        readReplicas: { count: 3, lagSeconds: 1.25 },
        primary: {
          initScripts: { 'a.sql': 'one;\ntwo;' },
          extraVolumes: [{ name: 'v' }, { name: 'w', secretName: 's' }],
        },
      },
      {
        READ_REPLICAS_COUNT: '3',
        READ_REPLICAS_LAG_SECONDS: '1.25',
        PRIMARY_INIT_SCRIPTS: '{a.sql: "one;\\ntwo;"}',
        PRIMARY_EXTRA_VOLUMES: '[{name: v}, {name: w, secretName: s}]',
      },
    ],
    [
      {
        persistence: { enabled: false },
        readReplicas: { enabled: false },
        backup: { enabled: true, keep: 0 },
        auth: { usePasswordFiles: true },
      },
      {
        PERSISTENCE_ENABLED: 'false',
        READ_REPLICAS_ENABLED: 'false',
        BACKUP_ENABLED: 'true',
        BACKUP_KEEP: '0',
        AUTH_USE_PASSWORD_FILES: 'true',
      },
    ],
  ],
  'node-exporter': [
    [
      {
        image: { digest: 'abc' },
        env: { A: '1', B: 'x y' },
        hostRootFsMount: { enabled: false },
        service: { listenOnAllInterfaces: false },
      },
      {
        IMAGE_DIGEST: 'abc',
        ENV: '{A: "1", B: x y}',
        HOST_ROOT_FS_MOUNT_ENABLED: 'false',
        SERVICE_LISTEN_ON_ALL_INTERFACES: 'false',
      },
    ],
    [
      { version: '1.3.0', rbac: { create: false }, tolerations: [] },
      { VERSION: '1.3.0', RBAC_CREATE: 'false', TOLERATIONS: '[]' },
    ],
  ],
  dashboards: [
    [
      { renderer: { enabled: false }, persistence: { enabled: true }, plugins: [], admin: { existingSecret: 'mine' } },
      { RENDERER_ENABLED: 'false', PERSISTENCE_ENABLED: 'true', PLUGINS: '[]', ADMIN_EXISTING_SECRET: 'mine' },
    ],
    [
      { renderer: { replicas: 3, env: { A: 'b' } }, service: { type: 'NodePort' } },
      { RENDERER_REPLICAS: '3', RENDERER_ENV: '{A: b}', SERVICE_TYPE: 'NodePort' },
    ],
  ],
};

describe.each(TEST_CHARTS)('the chart %s as a package', (name) => {
  it('verifies without an error', () => {
    expect(verifyPackage(packageOf(name)).errors).toEqual([]);
  });

  it('gives the objects of the chart with the default values', () => {
    expect(ofPackage(name, {})).toEqual(ofChart(name, {}));
  });

  it.each(CHANGES[name] ?? [])('gives the objects of the chart with %j', (overrides, parameters) => {
    expect(ofPackage(name, parameters)).toEqual(ofChart(name, overrides));
    expect(ofChart(name, overrides)).not.toEqual(ofChart(name, {}));
  });
});

describe('what a chart becomes', () => {
  const parameter = (chart: string, name: string) => packageOf(chart).parameters.find((each) => each.name === name);

  it('values are parameters with type, default and the description of their comment or schema', () => {
    expect(parameter('web', 'REPLICA_COUNT')).toMatchObject({
      type: 'integer',
      default: '1',
      description: 'Number of pods, without the autoscaler',
    });
    expect(parameter('cache', 'ARCHITECTURE')).toMatchObject({ description: 'standalone or replication' });
    expect(parameter('database', 'CONTAINER_PORT')?.description).toBe('Port of the server in its container.');
    expect(parameter('database', 'READ_REPLICAS_LAG_SECONDS')?.type).toBe('number');
    expect(parameter('database', 'PRIMARY_RESOURCES')).toMatchObject({ type: 'map', group: 'primary' });
    expect(parameter('cache', 'AUTH_PASSWORD')).toMatchObject({ secret: true });
    expect(parameter('web', 'TOLERATIONS')).toMatchObject({ type: 'array', default: [] });
  });

  it('templates have KUDO’s variables and no function of Helm', () => {
    const all = TEST_CHARTS.flatMap((name) => [...packageOf(name).templates.values()]).join('\n');
    expect(all).not.toMatch(/\.Values|\.Release|\.Chart|\binclude\b|\btpl\b|bravorelease|\ufdd0/);
    expect(packageOf('web').templates.get('service.yaml')).toContain('  type: {{ .Params.SERVICE_TYPE }}\n');
  });

  it('hooks are steps around the plan and plans of their own', () => {
    const phases = (chart: string) => packageOf(chart).operator.plans.deploy?.phases?.map(({ name }) => name);
    expect(phases('dashboards')).toEqual(['before-main', 'main']);
    expect(phases('database')).toEqual(['main', 'after-main']);
    expect(Object.keys(packageOf('web').operator.plans)).toEqual(['deploy', 'test']);
  });

  it('definitions come first, and braces in them are kept', () => {
    const [step] = packageOf('dashboards').operator.plans.deploy?.phases?.[1]?.steps ?? [];
    expect(step?.name).toBe('definitions');
  });

  it('what could not be converted is listed with file, line and reason', () => {
    const lines = (chart: string) => converted(chart).notes.map(({ path, message }) => `${path} ${message}`);
    expect(lines('dashboards').join('\n')).toMatch(/templates\/extra-manifests.yaml:\d+ .*/);
    expect(lines('database').join('\n')).toMatch(/templates\/secret.yaml:1 lookup finds nothing/);
    expect(lines('database').join('\n')).toMatch(/templates\/_helpers.tpl:\d+ auth.database is a template by default/);
    expect(lines('web')).toEqual([]);
    expect(lines('node-exporter')).toEqual([
      'values.yaml Templates read service.nodePort, which values.yaml does not have: it is no parameter, and empty.',
    ]);
  });

  it('a value that the chart requires, and that is empty, is a required parameter', () => {
    const files = new Map([
      ['Chart.yaml', 'name: x\nversion: 1.0.0\n'],
      ['values.yaml', 'host: ""\nport: 1\n'],
      [
        'templates/a.yaml',
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {host: {{ required "a host" .Values.host | quote }}, port: "{{ required "p" .Values.port }}"}\n',
      ],
    ]);
    const read = readChart(files);
    const result = read.ok ? chartToPackage(read.chart) : read;
    const parsed = parsePackage(result.ok ? result.converted.files : new Map());
    expect(parsed.ok ? parsed.package.parameters : []).toMatchObject([
      { name: 'HOST', required: true, default: undefined },
      { name: 'PORT', default: '1' },
    ]);
  });

  it('notes of the chart are in the description', () => {
    expect(packageOf('web').operator.description).toContain('kubectl -n NAMESPACE port-forward svc/INSTANCE-web');
  });
});
