import { structuredPatch } from 'diff';
import { cloneJson, getAt, isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import { canonicalYaml } from '@/lib/kudo/rendering/canonical-yaml';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import { maskForLog } from './mask-secrets';
import { nameOfResource, type SourceObject } from './source-object';
import { firstDifference, fullPath, keyPath, type SubsetDifference } from './subset';

/** Why a candidate is not what an expectation says. */
export interface Mismatch {
  /** `FILE:LINE: Kind:ns/name .spec.replicas: expected 3, actual 2`. */
  readonly place: string;
  /** A unified diff with three lines of context. */
  readonly diff: string;
  /** KUTTL's sentence. */
  readonly sentence: string;
}

/** Compares a candidate with an expectation; undefined when it matches. */
export function mismatchOf(source: SourceObject, actual: KubeObject): Mismatch | undefined {
  const [expectedJson, actualJson] = [asJson(source.object), asJson(actual)];
  const difference = firstDifference(expectedJson, actualJson);
  if (difference === undefined) return undefined;
  const name = nameOfResource(actual);
  const shown = maskForLog(expectedJson);
  const isSecret = getAt(shown, ...difference.path) === SECRET_MARK;
  return {
    place: `${source.file}:${source.lineOf(difference.path)}: ${name} ${fullPath(difference.path)}: ${explain(difference, isSecret)}`,
    diff: diffOf(shown, maskForLog(actualJson), { expected: nameOfResource(source.object), actual: name }),
    sentence: `resource ${name}: ${keyPath(difference.path)}: ${isSecret ? 'value mismatch (the values are not shown)' : difference.message}`,
  };
}

function asJson(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}

function explain({ message, expected, actual }: SubsetDifference, isSecret: boolean): string {
  if (isSecret) return 'the value is another one; it is not shown';
  if (actual === undefined) return `expected ${inline(expected)}, the key is missing`;
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return `expected ${countOf(expected)}, actual ${countOf(actual)}`;
  }
  return message.startsWith('type mismatch')
    ? `expected ${inline(expected)} (${typeName(expected)}), actual ${inline(actual)} (${typeName(actual)})`
    : `expected ${inline(expected)}, actual ${inline(actual)}`;
}

const INLINE_CHARS = 120;

function inline(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length <= INLINE_CHARS ? text : `${text.slice(0, INLINE_CHARS - 1)}…`;
}

function countOf(list: readonly JsonValue[]): string {
  return `${list.length} ${list.length === 1 ? 'entry' : 'entries'}`;
}

function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'object' ? 'map' : typeof value;
}

const CONTEXT_LINES = 3;

/** A unified diff of two objects (KUTTL utils PrettyDiff). */
export function diffOf(
  expected: JsonObject,
  actual: JsonObject,
  names: { readonly expected: string; readonly actual: string },
): string {
  const shown = elided(withoutServerFields(actual), expected);
  const { hunks } = structuredPatch(
    '',
    '',
    canonicalYaml(withoutServerFields(expected)),
    canonicalYaml(shown),
    '',
    '',
    {
      context: CONTEXT_LINES,
    },
  );
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ]);
  return [`--- ${names.expected}`, `+++ ${names.actual}`, ...lines].join('\n');
}

const SERVER_FIELDS = ['resourceVersion', 'uid', 'generation', 'selfLink', 'creationTimestamp'];
const REVISION = 'deployment.kubernetes.io/revision';

function withoutServerFields(object: JsonObject): JsonObject {
  const copy = cloneJson(object);
  const { metadata } = copy;
  if (!isJsonObject(metadata)) return copy;
  for (const field of SERVER_FIELDS) delete metadata[field];
  const { annotations } = metadata;
  if (!isJsonObject(annotations)) return copy;
  for (const name of Object.keys(annotations)) if (name === REVISION || isCopy(name)) delete annotations[name];
  if (Object.keys(annotations).length === 0) delete metadata.annotations;
  return copy;
}

/** Annotations that repeat the object, with its secrets: those of kubectl, KUDO and Bravo. */
function isCopy(name: string): boolean {
  return name.includes('last-applied') || name === ACTED_UPON_ANNOTATION;
}

const ELIDED_LINES = 10;
const ELIDED = '[... elided field over 10 lines long ...]';

/** SuiteFields that the expectation does not mention and that are long. */
function elided(actual: JsonObject, expected: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(actual).map(([key, member]): [string, JsonValue] => {
      const wanted = expected[key];
      if (wanted === undefined) return [key, lineCount(member) >= ELIDED_LINES ? ELIDED : member];
      return [key, isJsonObject(member) && isJsonObject(wanted) ? elided(member, wanted) : member];
    }),
  );
}

function lineCount(value: JsonValue): number {
  return canonicalYaml(value).trimEnd().split('\n').length;
}
