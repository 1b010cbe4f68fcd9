import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { JsonObject } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { APPLY_MARKS } from '@/lib/kudo/inventory/manifest-digest';
import { DEPENDENCIES_HASH_ANNOTATION } from '@/lib/kudo/names';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import { maskObject } from './mask-secrets';
import type { RunPreview } from './plan-run';

/**
 * What a preview says of the objects of a plan, small enough for an annotation: 16 hex digits over all of them, a dot, and for each of
 * the first {@link MOST_OBJECTS} 6 digits of what it is (place and object) and 8 of its content, or `--------` where the content is another
 * one in each run. Secret values are masked before anything is hashed, so no digest says anything about them.
 */
const TOKEN = /^[0-9a-f]{16}\.(?:[0-9a-f]{6}(?:[0-9a-f]{8}|-{8}))*$/;
/** What a run that waits in a queue keeps of it: the digits over all objects, and a dash when the content of some is another one in each run. */
const SHORT_TOKEN = /^[0-9a-f]{16}-?$/;
const MOST_OBJECTS = 100;
const DIGEST_DIGITS = 16;
const NAME_DIGITS = 6;
const CONTENT_DIGITS = 8;
const ANOTHER_EACH_TIME = '-'.repeat(CONTENT_DIGITS);

/** The longest token. */
export const MAX_TOKEN_CHARS = DIGEST_DIGITS + 1 + MOST_OBJECTS * (NAME_DIGITS + CONTENT_DIGITS);

/** Sentences about differences that a record keeps. */
const MOST_SENTENCES = 20;

/** Kinds of tasks whose objects come from templates, and which are written as they are rendered. */
export const RENDERED_TASKS: ReadonlySet<string> = new Set(['Apply', 'Delete', 'Toggle']);

/** An object as a task renders it. */
export interface PlannedManifest {
  readonly phase: string;
  readonly step: string;
  readonly task: string;
  readonly object: KubeObject;
  /** The task deletes it. */
  readonly isDeleted: boolean;
}

/**
 * @param manifests every object of the plan, in its order
 * @param again the same rendered with other random values at another time
 * @param secrets values that are masked
 */
export function previewToken(
  manifests: readonly PlannedManifest[],
  again: readonly PlannedManifest[],
  secrets: ReadonlySet<string>,
): string {
  const entries = manifests.map((manifest, index) => {
    const [content, other] = [manifest, again[index] ?? manifest].map((each) => contentOf(each, secrets));
    return { name: placeDigest(manifest), content: content === other ? (content ?? '') : ANOTHER_EACH_TIME };
  });
  const all = entries.map(({ name, content }) => name + content).join('');
  return `${digestOf(all, DIGEST_DIGITS)}.${all.slice(0, MOST_OBJECTS * (NAME_DIGITS + CONTENT_DIGITS))}`;
}

/** What a queue keeps of a token, so that its annotation stays small; undefined for a text that is no token. */
export function shortToken(token: string): string | undefined {
  if (SHORT_TOKEN.test(token)) return token;
  if (!TOKEN.test(token)) return undefined;
  return `${token.slice(0, DIGEST_DIGITS)}${token.includes(ANOTHER_EACH_TIME) ? '-' : ''}`;
}

/** What a run applied. */
export interface AppliedPlan {
  /** Every object of each step that began and was not skipped, in the order of the plan. */
  readonly manifests: readonly PlannedManifest[];
  readonly secrets: ReadonlySet<string>;
  /** False for a run that ended before its last step: what it did not come to is no difference. */
  readonly isComplete: boolean;
}

/** Whether a run applied what a preview said; undefined for a text that is no token. */
export function judgePreview(token: string, applied: AppliedPlan): RunPreview | undefined {
  if (SHORT_TOKEN.test(token)) return judgeShort(token, applied);
  if (!TOKEN.test(token)) return undefined;
  const { manifests, secrets, isComplete } = applied;
  const [digest = '', entries = ''] = token.split('.');
  const previewed = new Map<string, string>();
  const size = NAME_DIGITS + CONTENT_DIGITS;
  for (let at = 0; at < entries.length; at += size) {
    previewed.set(entries.slice(at, at + NAME_DIGITS), entries.slice(at + NAME_DIGITS, at + size));
  }
  // Objects after the last one that fits into a token are not compared one by one.
  const isCut = previewed.size >= MOST_OBJECTS;
  const left = new Set(previewed.keys());
  const sentences = manifests.flatMap((manifest) => {
    const name = placeDigest(manifest);
    left.delete(name);
    const why = difference(previewed.get(name), contentOf(manifest, secrets), isCut);
    const { phase, step, object } = manifest;
    return why === undefined ? [] : [`${phase}/${step}: ${object.kind} ${nameOf(object)}: ${why}`];
  });
  const missing = isComplete ? left.size : 0;
  const differs = [...sentences, ...(missing === 0 ? [] : [missingWords(missing)])];
  return { digest, matches: differs.length === 0, ...(differs.length === 0 ? {} : { differs: shortened(differs) }) };
}

/** Of a run that waited: all objects are the same, or nobody can tell which differ. */
function judgeShort(token: string, { manifests, secrets, isComplete }: AppliedPlan): RunPreview {
  const digest = token.slice(0, DIGEST_DIGITS);
  const differs = (sentence: string) => ({ digest, matches: false, differs: [sentence] });
  if (!isComplete)
    return differs('the run waited in the queue and was not complete, so that its objects cannot be compared');
  if (token !== digest) return differs('its templates use random values or the time, which are others in each run');
  const all = manifests.map((manifest) => placeDigest(manifest) + contentOf(manifest, secrets)).join('');
  if (digestOf(all, DIGEST_DIGITS) === digest) return { digest, matches: true };
  return differs('while the run waited in the queue, parameters, sources or the operator version were changed');
}

/** Of a run whose secret values are not known any more, so that nothing can be masked and compared. */
export function uncompared(token: string): RunPreview | undefined {
  if (shortToken(token) === undefined) return undefined;
  return { digest: token.slice(0, DIGEST_DIGITS), matches: false, differs: ['a secret value is not known any more'] };
}

function difference(previewed: string | undefined, content: string, isCut: boolean): string | undefined {
  if (previewed === undefined) return isCut ? undefined : 'it was not in the preview';
  if (previewed === ANOTHER_EACH_TIME)
    return 'its template uses random values or the time, which are others in each run';
  return previewed === content
    ? undefined
    : 'parameters, sources or the operator version were changed after the preview';
}

function missingWords(count: number): string {
  return count === 1 ? '1 object of the preview was not applied' : `${count} objects of the preview were not applied`;
}

function shortened(sentences: readonly string[]): string[] {
  if (sentences.length <= MOST_SENTENCES) return [...sentences];
  return [...sentences.slice(0, MOST_SENTENCES), `and ${sentences.length - MOST_SENTENCES} more`];
}

function placeDigest({ phase, step, task, object }: PlannedManifest): string {
  const { apiVersion, kind, metadata } = object;
  return digestOf(
    JSON.stringify([phase, step, task, apiVersion, kind, metadata.namespace ?? '', nameOf(object)]),
    NAME_DIGITS,
  );
}

function contentOf({ object, isDeleted }: PlannedManifest, texts: ReadonlySet<string>): string {
  // A secret that holds another one goes first, whatever the order of parameters.
  const longestFirst = new Set([...texts].sort((a, b) => b.length - a.length));
  const masking = { texts: longestFirst, fingerprints: { of: () => SECRET_MARK } };
  const masked = maskObject(withoutMarks(object as unknown as JsonObject) as JsonObject, object.kind, masking);
  return digestOf(JSON.stringify([isDeleted, masked]), CONTENT_DIGITS);
}

/** Without what each run writes: its uid, and the hash of what pods mount, which follows from other objects and may be of a Secret. */
function withoutMarks(value: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(value), (key: string, member: unknown) => {
    if (key !== 'annotations' || typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    const kept = Object.entries(member).filter(
      ([name]) => !APPLY_MARKS.has(name) && name !== DEPENDENCIES_HASH_ANNOTATION,
    );
    return Object.fromEntries(kept);
  }) as JsonObject;
}

function digestOf(text: string, digits: number): string {
  return bytesToHex(sha256(utf8ToBytes(text))).slice(0, digits);
}
