import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { isJsonObject, type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { chartTemplate } from '@/lib/kudo/installation/chart-template';
import { defaultInstallation } from '@/lib/kudo/installation/manifest-files';
import { installationSteps } from '@/lib/kudo/installation/manifests';
import type { InstallationOptions } from '@/lib/kudo/installation/options';
import { seededRandom } from '@/lib/random/random';
import { parseTemplate, renderTemplate } from '@/lib/template/template';
import { readYaml, readYamlDocuments } from '@/lib/yaml/yaml';
import { productVersion, projectRoot } from '@/server/runtime/root';

const folder = join(projectRoot, 'deploy/chart');
const templates = join(folder, 'templates');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const yaml = (name: string): JsonObject => {
  const result = readYaml(read(name));
  return result.ok && isJsonObject(result.value) ? result.value : {};
};
const namedTemplates = readdirSync(templates)
  .filter((name) => name.endsWith('.tpl'))
  .map((name) => readFileSync(join(templates, name), 'utf8'))
  .join('');
const environment = { clock: new VirtualClock(), random: seededRandom('chart') };
const chart = { Chart: { AppVersion: productVersion }, Release: { Namespace: 'kudo-system', Name: 'bravo' } };

type Values = { readonly [name: string]: unknown };

/** The chart's values with some replaced, two levels deep. */
function valuesWith(more: { readonly [name: string]: Values | readonly string[] }): Values {
  const defaults = yaml('values.yaml');
  const merged = Object.entries(more).map(([name, value]) => [
    name,
    Array.isArray(value) ? value : { ...objectAt(defaults, name), ...value },
  ]);
  return { ...defaults, ...Object.fromEntries(merged) };
}

function renderFile(name: string, values: Values): string {
  const template = parseTemplate(name, namedTemplates + readFileSync(join(templates, name), 'utf8'));
  return renderTemplate(template, { ...chart, Values: values }, { environment });
}

/** The objects that our own engine makes of the chart, without what is Helm's alone. */
function render(values: Values): KubeObject[] {
  const files = readdirSync(templates).filter((name) => name.endsWith('.yaml'));
  return files.flatMap((name) => objectsIn(renderFile(name, values)));
}

function objectsIn(text: string): KubeObject[] {
  return readYamlDocuments(text).flatMap((document) => {
    if (!document.ok) throw new Error(JSON.stringify(document.problems));
    return isJsonObject(document.value) ? [withoutHelm(document.value as unknown as KubeObject)] : [];
  });
}

function withoutHelm(object: KubeObject): KubeObject {
  const { annotations, ...metadata } = object.metadata;
  const own = Object.entries(annotations ?? {}).filter(([name]) => !name.startsWith('helm.sh/'));
  return { ...object, metadata: own.length === 0 ? metadata : { ...metadata, annotations: Object.fromEntries(own) } };
}

const titleOf = ({ kind, metadata }: KubeObject) => `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
const byTitle = (objects: readonly KubeObject[]) =>
  new Map(objects.map((object) => [titleOf(object), JSON.parse(JSON.stringify(object))]));

function installed(more: Partial<InstallationOptions>): KubeObject[] {
  // Helm makes the namespace of a release, with --create-namespace.
  return installationSteps({ ...defaultInstallation(productVersion), ...more }).flatMap(({ step, objects }) =>
    step === 'namespace' ? [] : [...objects],
  );
}

const console = { signIn: 'token', url: undefined, mayImpersonate: false } as const;

describe('the chart', () => {
  it.each([
    ['its default values', {}, {}],
    ['no console', { console: { enabled: false } }, { console: undefined }],
    [
      'cluster-admin and a console that impersonates',
      {
        controller: { role: 'cluster-admin' },
        console: { impersonation: true, signIn: 'proxy', url: 'https://b.test' },
      },
      { controllerRole: 'cluster-admin', console: { signIn: 'proxy', url: 'https://b.test', mayImpersonate: true } },
    ],
    ['shards', { controller: { replicas: 4, shards: 16 } }, { controllerReplicas: 4, shards: 16, console }],
    ['two namespaces', { namespaces: ['a', 'b'], crds: { install: false } }, { namespaces: ['a', 'b'], console }],
    [
      'another image',
      { image: { repository: 'r.test/bravo', tag: '1', pullPolicy: 'Never' } },
      { image: 'r.test/bravo:1', imagePullPolicy: 'Never' },
    ],
  ] satisfies [string, Parameters<typeof valuesWith>[0], Partial<InstallationOptions>][])(
    'gives with %s exactly the objects of bravo init',
    (_what, values, options) => {
      const [rendered, expected] = [byTitle(render(valuesWith(values))), byTitle(installed(options))];
      expect([...rendered.keys()].sort()).toEqual([...expected.keys()].sort());
      for (const [title, object] of expected) expect(rendered.get(title), title).toEqual(object);
    },
  );

  it('has settings of the console in a ConfigMap', () => {
    const objects = render(valuesWith({ console: { settings: { BRAVO_OIDC_ISSUER: 'https://login.test' } } }));
    const map = byTitle(objects).get('ConfigMap kudo-system/bravo-console-settings');
    expect(map?.data).toEqual({ BRAVO_OIDC_ISSUER: 'https://login.test' });
  });

  it('says where the console is', () => {
    expect(renderFile('NOTES.txt', valuesWith({ console: { url: 'https://b.test' } }))).toContain(
      'The console: https://b.test',
    );
    expect(renderFile('NOTES.txt', valuesWith({}))).toContain('port-forward service/bravo-console');
  });

  it('has the version of the product, and the generated part as npm run manifests writes it', () => {
    expect([stringAt(yaml('Chart.yaml'), 'version'), stringAt(yaml('Chart.yaml'), 'appVersion')]).toEqual([
      productVersion,
      productVersion,
    ]);
    expect(read('templates/_generated.tpl')).toBe(chartTemplate());
  });

  it('describes each of its values in the schema', () => {
    const schema = JSON.parse(read('values.schema.json'));
    for (const [name, value] of Object.entries(yaml('values.yaml'))) {
      const described = Object.keys(objectAt(schema, 'properties', name, 'properties'));
      if (isJsonObject(value)) expect(described.sort(), name).toEqual(Object.keys(value).sort());
      else expect(objectAt(schema, 'properties', name)).not.toEqual({});
    }
  });

  it.skipIf(spawnSync('helm', ['version']).status !== 0)('is rendered by helm to the same objects', () => {
    const { stdout, stderr } = spawnSync('helm', ['template', 'bravo', folder, '-n', 'kudo-system'], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(byTitle(objectsIn(stdout))).toEqual(byTitle(installed({})));
  });
});
