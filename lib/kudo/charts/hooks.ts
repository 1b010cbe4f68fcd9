import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { readYamlAsKubernetes } from '@/lib/yaml/yaml';
import { splitDocuments } from '../rendering/decode';

/** When the objects of a file are applied. */
export type FileRole =
  | { readonly kind: 'object'; readonly objects: readonly { readonly kind: string; readonly apiVersion: string }[] }
  | { readonly kind: 'hook'; readonly on: readonly string[]; readonly weight: number };

/**
 * What a file of a chart is, by the objects that it renders, or by its text when it renders none. The annotation `helm.sh/hook` of
 * its first object decides.
 */
export function roleOf(rendered: string, source: string): FileRole {
  const objects = splitDocuments(rendered).flatMap((piece) => {
    const read = readYamlAsKubernetes(piece.replace(/^[ \t]*(#[^\n]*)?\n/, '\n'));
    return read.ok && isJsonObject(read.value) ? [read.value] : [];
  });
  const hook =
    objects.map(hookOf).find((each) => each !== undefined) ?? (objects.length === 0 ? hookOfText(source) : undefined);
  if (hook !== undefined) return hook;
  const kinds = objects.map(({ kind, apiVersion }) => ({ kind: String(kind), apiVersion: String(apiVersion) }));
  return { kind: 'object', objects: kinds.length > 0 ? kinds : kindsOfText(source) };
}

function hookOf(object: JsonObject): FileRole | undefined {
  const metadata = isJsonObject(object.metadata) ? object.metadata : {};
  const annotations = isJsonObject(metadata.annotations) ? metadata.annotations : {};
  const on = annotations['helm.sh/hook'];
  return typeof on === 'string' ? hookNamed(on, Number(annotations['helm.sh/hook-weight'] ?? 0)) : undefined;
}

function hookOfText(source: string): FileRole | undefined {
  const on = /["']?helm\.sh\/hook["']?:\s*["']?([a-z, -]+)/.exec(source)?.[1];
  const weight = /["']?helm\.sh\/hook-weight["']?:\s*["']?(-?\d+)/.exec(source)?.[1];
  return on === undefined ? undefined : hookNamed(on, Number(weight ?? 0));
}

function hookNamed(on: string, weight: number): FileRole {
  const names = on.split(',').map((each) => each.trim());
  return { kind: 'hook', on: names.filter((each) => each !== ''), weight: Number.isFinite(weight) ? weight : 0 };
}

function kindsOfText(source: string): { kind: string; apiVersion: string }[] {
  const apiVersion = /^apiVersion:\s*["']?([\w./-]+)/m.exec(source)?.[1] ?? 'v1';
  return [...source.matchAll(/^kind:\s*["']?(\w+)/gm)].map(([, kind = '']) => ({ kind, apiVersion }));
}

/** Where a hook goes: plans, and before or after their own steps. */
export function placesOfHook(
  on: string,
): { readonly plan: string; readonly at: 'before' | 'after' | 'alone' } | undefined {
  switch (on) {
    case 'pre-install':
    case 'pre-upgrade':
      return { plan: 'deploy', at: 'before' };
    case 'post-install':
    case 'post-upgrade':
      return { plan: 'deploy', at: 'after' };
    case 'test':
    case 'test-success':
      return { plan: 'test', at: 'alone' };
    case 'pre-delete':
    case 'post-delete':
      return { plan: 'cleanup', at: 'alone' };
    case 'pre-rollback':
    case 'post-rollback':
      return { plan: 'rollback', at: 'alone' };
    default:
      return undefined;
  }
}
