import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { getAt, isJsonObject, type JsonObject, numberAt, stringAt } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { readYamlDocuments } from '@/lib/yaml/yaml';
import { readConfig } from '@/server/config/config';
import { readSources } from './sources';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = readdirSync(join(root, 'docs/guide')).filter((name) => name.endsWith('.md'));
const ingress = read('docs/guide/ingress.md');

/** The blocks of code of a page, in one language. */
function blocks(page: string, language: string): string[] {
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, name, text = '']) =>
    name === language ? [text] : [],
  );
}

/** The blocks of lines `NAME=value` alone. */
function settingsIn(page: string): { readonly [name: string]: string }[] {
  return blocks(page, '')
    .map((block) => block.trim().split('\n'))
    .filter((lines) => lines.every((line) => /^BRAVO_\w+=\S+$/.test(line)))
    .map((lines) => Object.fromEntries(lines.map((line) => /^(\w+)=(.*)$/.exec(line)?.slice(1) ?? [])));
}

function objectsIn(yaml: string): JsonObject[] {
  return readYamlDocuments(yaml).map((result) => (result.ok && isJsonObject(result.value) ? result.value : {}));
}

describe('the guide', () => {
  const code = readSources()
    .map(({ text }) => text)
    .concat(['next.config.js', 'scripts/prepare.mjs', 'scripts/start.mjs'].map(read))
    .join('\n');

  it.each(pages)('names only variables that the code reads: %s', (page) => {
    // `BRAVO_OIDC_…` stands for several.
    const named = new Set(read(`docs/guide/${page}`).match(/\bBRAVO_[A-Z0-9_]*[A-Z0-9]\b(?!_)/g) ?? []);
    expect([...named].filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
  });

  it('names no variable of the proxy that the page on sign-in does not explain', () => {
    const named = new Set(ingress.match(/\bBRAVO_PROXY_\w+/g) ?? []);
    const explained = read('docs/guide/sign-in.md');
    expect(named.size).toBeGreaterThan(5);
    expect([...named].filter((name) => !explained.includes(name))).toEqual([]);
  });
});

describe('the page about ingresses', () => {
  it('has settings with which the console starts', () => {
    const found = settingsIn(ingress);
    expect(found.length).toBe(4);
    for (const settings of found) expect(readConfig(settings, '/').auth.publicUrl).toBe(settings.BRAVO_URL);
  });

  it('has an Ingress for the Service that is installed', () => {
    const [example] = objectsIn(blocks(ingress, 'yaml')[0] ?? '');
    const installed = objectsIn(read('deploy/manifests/console.yaml'));
    const service = installed.find(({ kind }) => kind === 'Service');
    expect(stringAt(example, 'metadata', 'namespace')).toBe(stringAt(service, 'metadata', 'namespace'));
    expect(getAt(example, 'spec', 'rules', 0, 'http', 'paths', 0, 'backend', 'service')).toEqual({
      name: stringAt(service, 'metadata', 'name'),
      port: { number: numberAt(service, 'spec', 'ports', 0, 'port') },
    });
  });

  it('lets the largest package pass, everywhere that a size is named', () => {
    const sizes = [...ingress.matchAll(/(?:client_max_body_size|proxy-body-size:) (\d+)m/g)].map(([, size]) =>
      Number(size),
    );
    expect(sizes.length).toBe(2);
    for (const size of sizes) expect(size * 1024 * 1024).toBeGreaterThan(limits.packageArchiveBytes);
  });
});
