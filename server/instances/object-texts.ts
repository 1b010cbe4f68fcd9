import type { JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { isSecret, withDataOfTexts } from '@/lib/kudo/inventory/secret-data';
import { effectiveValues, secretParameters } from '@/lib/kudo/parameters/parameters';
import { canonicalYaml } from '@/lib/kudo/rendering/canonical-yaml';
import { sourcesOf } from '@/lib/kudo/sources/parameter-source';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { shownObject } from '@/lib/kudo/view/planned-changes';
import { SECRET_MARK } from '@/lib/live/secret-mark';

const SHORTEST_SECRET = 4;

/** Replaces the values of secret parameters, and those that come from Secrets, of any of these states of an Instance, and `more`. */
export function secretMasker(
  states: readonly { readonly instance: Instance; readonly operatorVersion: OperatorVersion }[],
  more: Iterable<string> = [],
): (text: string) => string {
  const own = states.flatMap(({ instance, operatorVersion }) => secretsOf(instance, operatorVersion));
  const secrets = new Set([...own, ...[...more].filter(({ length }) => length >= SHORTEST_SECRET)]);
  // A secret that holds another one goes first.
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((masked, secret) => masked.replaceAll(secret, SECRET_MARK), text);
}

function secretsOf(instance: Instance, operatorVersion: OperatorVersion): string[] {
  const names = secretParameters(operatorVersion);
  for (const { kind, parameter } of sourcesOf(instance.spec)) if (kind === 'Secret') names.add(parameter);
  return [...effectiveValues(operatorVersion, instance)].flatMap(([name, value]) =>
    names.has(name) && value.length >= SHORTEST_SECRET ? [value] : [],
  );
}

/**
 * An object before and after as YAML, without what the API server and KUDO write; empty for one that does not exist. Values of a Secret
 * are masked, and those that change say so.
 */
export function objectTexts(
  before: KubeObject | undefined,
  after: KubeObject | undefined,
  mask: (text: string) => string,
): { readonly before: string; readonly after: string } {
  const [was, is] = [before, after].map((object) => (object === undefined ? undefined : withDataOfTexts(object)));
  const textOf = (object: KubeObject | undefined, other: KubeObject | undefined) =>
    object === undefined ? '' : mask(canonicalYaml(withoutValues(shownObject(object), other) as unknown as JsonValue));
  return { before: textOf(was, undefined), after: textOf(is, was) };
}

function withoutValues(object: KubeObject, before: KubeObject | undefined): KubeObject {
  if (!isSecret(object)) return object;
  const [values, old] = [dataOf(object), before === undefined ? undefined : dataOf(before)];
  const masked = Object.entries(values).map(([key, value]) => {
    const isChanged = old !== undefined && Object.hasOwn(old, key) && old[key] !== value;
    return [key, isChanged ? `${SECRET_MARK} (changed)` : SECRET_MARK] as const;
  });
  return masked.length === 0 ? object : { ...object, data: Object.fromEntries(masked) };
}

function dataOf({ data }: KubeObject): { readonly [key: string]: JsonValue | undefined } {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
    ? (data as { [key: string]: JsonValue })
    : {};
}
