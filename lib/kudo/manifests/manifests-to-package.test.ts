import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/json';
import { isJsonObject } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { randomInteger, seededRandom } from '@/lib/random/random';
import { readYaml } from '@/lib/yaml/yaml';
import { parsePackage } from '../package/parse-package';
import { verifyPackage } from '../verify/verify';
import { cleanObject, reasonToSkip } from './clean-object';
import { SHOP } from './manifests-fixture';
import { type ConvertedPackage, manifestsToPackage } from './manifests-to-package';
import { readManifests } from './read-manifests';
import { renderConverted } from './render-converted-fixture';

function convert(text: string, name?: string): ConvertedPackage {
  const read = readManifests(new Map([['all.yaml', text]]));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return manifestsToPackage(read.objects, name);
}

function parsed(converted: ConvertedPackage) {
  const result = parsePackage(converted.files);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.package;
}

const file = (converted: ConvertedPackage, path: string) => converted.files.get(path) ?? '';
const params = (converted: ConvertedPackage) =>
  Object.fromEntries(parsed(converted).parameters.map(({ name, default: value }) => [name, value]));

/** What the input is without what a package does not keep, by kind and name. */
function expected(text: string): Map<string, JsonObject> {
  const read = readManifests(new Map([['all.yaml', text]]));
  if (!read.ok) throw new Error('unreadable');
  return byName(
    read.objects
      .map(({ object }) => object)
      .filter((each) => reasonToSkip(each) === undefined)
      .map(cleanObject),
  );
}

const byName = (objects: readonly KubeObject[]) =>
  new Map(objects.map((object) => [`${object.kind}/${nameOf(object)}`, object as unknown as JsonObject]));

describe('a package from manifests', () => {
  const shop = convert(SHOP);

  it('verifies without an error', () => {
    expect(verifyPackage(parsed(shop)).errors).toEqual([]);
    expect(parsed(shop).operator.name).toBe('shop');
  });

  it('gives the input again, rendered with the defaults and the secrets of the input', () => {
    const parameters = {
      SECRETS_DB_PASSWORD: 'hunter2',
      SECRETS_LICENSE: 'line 1\nline 2\n',
      SECRETS_BYTES: '/////w==',
      WEB_API_TOKEN: 's3cr3t-token',
    };
    const rendered = renderConverted(shop.files, { name: 'shop', namespace: 'trade', parameters });
    const wanted = expected(SHOP);
    wanted.delete('Namespace/trade');
    expect(Object.fromEntries(byName(rendered))).toEqual(Object.fromEntries(wanted));
  });

  it('has no value of a Secret and of a secret variable in any file', () => {
    const all = [...shop.files.values()].join('\n');
    for (const secret of ['hunter2', 'aHVudGVyMg', 's3cr3t', 'bGluZSAx', '/////w']) expect(all).not.toContain(secret);
    const { parameters } = parsed(shop);
    const secret = parameters.filter((each) => each.secret === true).map(({ name, required }) => [name, required]);
    expect(secret).toEqual([
      ['WEB_API_TOKEN', true],
      ['SECRETS_DB_PASSWORD', false],
      ['SECRETS_LICENSE', true],
      ['SECRETS_BYTES', true],
    ]);
  });

  it('makes parameters of what people change', () => {
    expect(params(shop)).toMatchObject({
      WEB_REPLICAS: '3',
      WEB_IMAGE_TAG: '1.10',
      WEB_CPU_REQUEST: '1',
      WEB_MEMORY_LIMIT: '512Mi',
      DB_STORAGE: '10Gi',
      DB_STORAGE_CLASS: 'fast',
      WEB_SERVICE_TYPE: 'ClusterIP',
      WEB_SERVICE_PORT: '80',
      HOST: 'shop.example.org',
      INGRESS_CLASS: 'nginx',
      LOG_LEVEL: 'debug',
      DB_EXPORTER_IMAGE: expect.stringContaining('sha256'),
    });
  });

  it('follows the name and the namespace of another Instance in names, labels, selectors and addresses', () => {
    const rendered = byName(renderConverted(shop.files, { name: 'store', namespace: 'other', parameters: {} }));
    const text = JSON.stringify([...rendered.values()]);
    expect([...rendered.keys()]).toContain('Deployment/store-web');
    expect(text).toContain('postgres://store-db:5432/shop');
    expect(text).toContain('store-db-0.store-db.other.svc.cluster.local');
    expect(text).toContain('https://kubernetes.default.svc');
    expect(text).toContain('server store-web:80;');
    expect(text).toContain('# shop-web is the web server, /var/shop-web its folder');
    expect(rendered.get('RoleBinding/store')).toMatchObject({ subjects: [{ name: 'store', namespace: 'other' }] });
    expect(rendered.get('StatefulSet/store-db')).toMatchObject({
      spec: { selector: { matchLabels: { app: 'store-db' } } },
    });
  });

  it('applies definitions first, then configuration, workloads and access', () => {
    const [phase] = parsed(shop).operator.plans.deploy?.phases ?? [];
    expect(phase?.steps?.map(({ name }) => name)).toEqual(['definitions', 'configuration', 'workloads', 'access']);
    expect(parsed(shop).operator.namespaceManifest).toBe('namespace.yaml');
  });

  it('reports with file and line what a person has to look at', () => {
    const check = shop.notes.filter(({ level }) => level === 'check').map(({ path, message }) => `${path} ${message}`);
    const line = SHOP.slice(0, SHOP.indexOf('kind: Pod')).split('\n').length - 1;
    expect(check).toContain(`all.yaml:${line} Pod shop-web-abc was left out: ReplicaSet shop-web-1 creates it.`);
    expect(check.join('\n')).toContain('SECRETS_DB_PASSWORD is generated without a value');
    expect(check.join('\n')).toContain(
      'CustomResourceDefinition coupons.shop.example.org belongs to the whole cluster',
    );
  });

  it('keeps names without a common beginning', () => {
    const text = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
    const converted = convert(`${text('one')}---\n${text('two')}`, 'both');
    expect(file(converted, 'templates/configmap-one.yaml')).toContain('name: one\n');
    expect(converted.notes.map(({ message }) => message).join()).toContain('no common beginning');
    expect(parsed(converted).operator.name).toBe('both');
  });

  it('names what is no object, with its line', () => {
    const read = readManifests(
      new Map([['a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n- 1\n---\na: [\n']]),
    );
    expect(read).toMatchObject({ ok: false });
    const problems = read.ok ? [] : read.problems.map(({ path }) => path);
    expect(problems).toEqual(['a.yaml:5', 'a.yaml:8']);
    expect(readManifests(new Map([['a.yaml', '# nothing\n']]))).toMatchObject({ ok: false });
  });

  it('gives 200 random sets of objects again', () => {
    const seed = 20_260;
    const random = seededRandom(String(seed));
    const pick = <T>(items: readonly T[]): T => items[randomInteger(random, items.length)] as T;
    for (let round = 0; round < 200; round++) {
      const text = Array.from({ length: 1 + randomInteger(random, 4) }, (_, at) => randomObject(pick, at)).join(
        '\n---\n',
      );
      const converted = convert(text, 'made');
      expect(verifyPackage(parsed(converted)).errors, `seed ${seed} round ${round}\n${text}`).toEqual([]);
      const options = { name: converted.instanceName, namespace: 'trade', parameters: {} };
      const rendered = byName(renderConverted(converted.files, options));
      expect(Object.fromEntries(rendered), `seed ${seed} round ${round}\n${text}`).toEqual(
        Object.fromEntries(expected(text)),
      );
    }
  });
});

const WORDS = [
  'shop',
  'shop-db',
  'trade',
  'yes',
  '0644',
  '1e3',
  'a: b',
  '{{ x }}',
  "it's",
  '"',
  'shop-db:80',
  '- x',
  '#',
  ' ',
];

function randomObject(pick: <T>(items: readonly T[]) => T, at: number): string {
  const value = (): unknown =>
    pick<() => unknown>([() => pick(WORDS), () => pick([0, 1.5, 8080, true]), () => [pick(WORDS)]])();
  const name = pick(['shop', 'shop-db', 'shop-web', 'other', 'shop-1']);
  const metadata = { name: `${name}-${at}`, namespace: 'trade', labels: { app: pick(WORDS.slice(0, 3)) } };
  const pod = {
    metadata: { labels: { app: name } },
    spec: {
      containers: [{ name: 'c', image: pick(['a', 'a:1', 'h:5/a/b:c', 'a@sha256:12']), args: [String(value())] }],
    },
  };
  const object = pick([
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: { [pick(WORDS)]: String(value()), text: `${pick(WORDS)}\n${pick(WORDS)}\n` },
    },
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas: pick([0, 1, 3]), template: pod } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { type: 'NodePort', ports: [{ port: 80, targetPort: pick([80, 'http']) }] },
    },
    { apiVersion: 'example.org/v1', kind: 'Thing', metadata, spec: { a: value(), b: { c: value() } } },
  ]);
  const read = readYaml(JSON.stringify(object));
  return read.ok && isJsonObject(read.value) ? JSON.stringify(object) : '';
}
