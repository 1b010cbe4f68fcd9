import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { PackageCatalogue } from '@/server/packages/catalogue';
import { catalogueReader } from './reader';
import { acceptPackage } from './upload';

const OPERATOR = `apiVersion: kudo.dev/v1beta1
name: web
operatorVersion: 1.0.0
appVersion: "2.4"
kubernetesVersion: 1.25.0
url: https://example.test
maintainers: [{name: Ada, email: ada@example.test}]
tasks: [{name: main, kind: Apply, spec: {resources: [page.yaml]}}]
plans: {deploy: {strategy: serial, phases: [{name: main, strategy: serial, steps: [{name: main, tasks: [main]}]}]}}
`;
const PARAMS = `apiVersion: kudo.dev/v1beta1
parameters:
  - {name: TITLE, default: hello}
  - {name: API_TOKEN, default: canary-value}
`;
const PAGE =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: page}\ndata: {t: "{{ .Params.TITLE }}{{ .Params.API_TOKEN }}"}\n';

let bundledDir: string;
let catalogue: PackageCatalogue;

beforeEach(() => {
  bundledDir = mkdtempSync(join(tmpdir(), 'bravo-catalogue-'));
  mkdirSync(join(bundledDir, 'web/templates'), { recursive: true });
  writeFileSync(join(bundledDir, 'web/operator.yaml'), OPERATOR);
  writeFileSync(join(bundledDir, 'web/params.yaml'), PARAMS);
  writeFileSync(join(bundledDir, 'web/templates/page.yaml'), PAGE);
  catalogue = new PackageCatalogue({ bundledDir, uploadDir: join(bundledDir, 'uploads') });
});

describe('catalogueReader', () => {
  it('lists a package with the key of its address', async () => {
    const [summary] = await catalogueReader(catalogue).list();
    expect(summary).toMatchObject({
      name: 'web',
      key: '2.4-1.0.0',
      origin: 'bundled',
      maintainers: ['Ada'],
      plans: ['deploy'],
    });
  });

  it("gives a package's objects without the default of a secret", async () => {
    const detail = await catalogueReader(catalogue).detail('web', '2.4-1.0.0');
    expect(detail?.version.metadata.name).toBe('web-2.4-1.0.0');
    expect(Object.keys(detail?.version.spec?.templates ?? {})).toEqual(['page.yaml']);
    expect(JSON.stringify(detail)).not.toContain('canary-value');
  });

  it('has nothing for a version that is not there', async () => {
    expect(await catalogueReader(catalogue).detail('web', '9')).toBeUndefined();
  });
});

describe('acceptPackage', () => {
  it.each([
    [new Uint8Array(), 400],
    [new TextEncoder().encode('no archive'), 422],
  ])('refuses %j', async (archive, status) => {
    await expect(acceptPackage(catalogue, archive)).rejects.toMatchObject({ status });
  });
});
