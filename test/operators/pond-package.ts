import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeYaml } from '@/lib/yaml/yaml';

const OPERATOR = {
  apiVersion: 'kudo.dev/v1beta1',
  name: 'pond',
  operatorVersion: '0.1.0',
  kubernetesVersion: '1.18.0',
  kudoVersion: '0.19.0',
  maintainers: [{ name: 'the maintainers', email: 'maintainers@example.org' }],
  url: 'https://pond.example.org',
  tasks: [{ name: 'conf', kind: 'Apply', spec: { resources: ['deep/conf.yaml'] } }],
  plans: Object.fromEntries(
    ['deploy', 'update', 'backup'].map((name) => [
      name,
      {
        strategy: 'serial',
        phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'conf', tasks: ['conf'] }] }],
      },
    ]),
  ),
};
const PARAMETERS = {
  apiVersion: 'kudo.dev/v1beta1',
  parameters: [
    { name: 'LEVEL', default: 'info' },
    { name: 'FILE', default: 'a', trigger: 'backup' },
    { name: 'FIXED', default: 'one', immutable: true },
  ],
};
const TEMPLATE =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Name }}"}\ndata: {level: "{{ .Params.LEVEL }}", file: "{{ .Params.FILE }}"}\n';

/** Writes the package `pond` into a folder: plans deploy, update and backup, and a template in a subfolder. */
export async function writePond(folder: string, version: string): Promise<void> {
  await mkdir(join(folder, 'templates/deep'), { recursive: true });
  await writeFile(join(folder, 'operator.yaml'), writeYaml({ ...OPERATOR, operatorVersion: version }));
  await writeFile(join(folder, 'params.yaml'), writeYaml(PARAMETERS));
  await writeFile(join(folder, 'templates/deep/conf.yaml'), TEMPLATE);
}
