import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { readYaml, writeYaml } from '@/lib/yaml/yaml';
import { writePond } from './pond-package';

/**
 * Writes the package `pond` into a folder in three versions, `VERSION/`: 0.2.0 has another default of LEVEL; 0.3.0 upgrades from 0.2.0 only,
 * has the parameter ZONE, which is required, and one step more in its plan backup.
 */
export async function writePondReleases(folder: string): Promise<void> {
  for (const version of ['0.1.0', '0.2.0', '0.3.0']) await writePond(join(folder, version), version);
  await edit(join(folder, '0.2.0', 'params.yaml'), (params) => withDefault(params, 'LEVEL', 'warn'));
  await edit(join(folder, '0.3.0', 'params.yaml'), (params) => {
    const { parameters } = withDefault(params, 'LEVEL', 'warn');
    return { ...params, parameters: [...(Array.isArray(parameters) ? parameters : []), { name: 'ZONE' }] };
  });
  await edit(join(folder, '0.3.0', 'operator.yaml'), (operator) => {
    const plans = isJsonObject(operator.plans) ? operator.plans : {};
    const step = (name: string) => ({ name, tasks: ['conf'] });
    const phases = [{ name: 'main', strategy: 'serial', steps: [step('conf'), step('check')] }];
    return {
      ...operator,
      upgradableFrom: '>=0.2.0 <0.3.0',
      plans: { ...plans, backup: { strategy: 'serial', phases } },
    };
  });
  const template = join(folder, '0.3.0', 'templates/deep/conf.yaml');
  const text = await readFile(template, 'utf8');
  await writeFile(template, text.replace('\ndata: {', '\ndata: {zone: "{{ .Params.ZONE }}", '));
}

function withDefault(params: JsonObject, name: string, text: string): JsonObject {
  const all = Array.isArray(params.parameters) ? params.parameters : [];
  return {
    ...params,
    parameters: all.map((each) => (isJsonObject(each) && each.name === name ? { ...each, default: text } : each)),
  };
}

async function edit(file: string, change: (value: JsonObject) => JsonObject): Promise<void> {
  const read = readYaml(await readFile(file, 'utf8'));
  if (!read.ok || !isJsonObject(read.value)) throw new Error(`${file} is no map`);
  await writeFile(file, writeYaml(change(read.value)));
}
