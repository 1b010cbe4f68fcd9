import { isJsonObject, type JsonObject, parseJsonObject, stringAt } from '@/lib/json/json';
import { RUN_CAUSES, type RunCause } from '@/lib/kudo/runs/plan-run';
import type { Instance } from '@/lib/kudo/types';

/**
 * On an Instance: the runs that wait, in the order in which they start (docs/decisions/074). JSON:
 * `{"entries": [{"plan", "uid", "cause", "at", "by"?, "reason"?, "stopAfter"?, "retryOf"?, "undoOf"?, "preview"?, "approval"?, "confirmed"?,
 * "proof"?}], "edit"?: {"inputs", "plans", "shared"?}}`. `at` is RFC 3339, `uid` that of the execution, `proof` says that admission or the controller
 * wrote the entry (queue-proof.ts). `edit` is the edit that no run has acted upon yet: a fingerprint of version and values (`inputsDigest`), and which
 * entries wait for its sake alone (`plans`), or waited before it came and are what it asks for, too (`shared`).
 * What is in `edit` is decided: its plans are in the queue, or a person took them off it.
 */
export const QUEUE_ANNOTATION = 'bravo.kudo.dev/queue';

const MOST_ENTRIES = 20;
const MAX_TEXT_CHARS = 1_000;
const OPTIONAL_TEXTS = ['by', 'reason', 'stopAfter', 'retryOf', 'undoOf', 'preview', 'approval', 'proof'] as const;

/** A run that waits; a plan waits at most once. */
export interface QueueEntry {
  readonly plan: string;
  readonly uid: string;
  readonly cause: RunCause;
  /** RFC 3339: since when it waits. */
  readonly at: string;
  /** Who asked. */
  readonly by?: string;
  readonly reason?: string;
  readonly stopAfter?: string;
  readonly retryOf?: string;
  readonly undoOf?: string;
  /** The digest of the preview that the person saw (`shortToken`). */
  readonly preview?: string;
  /** The PlanApproval that the start uses. */
  readonly approval?: string;
  /** The plan is destructive, and was confirmed when it was asked for. */
  readonly confirmed?: true;
  readonly proof?: string;
}

export interface RunQueue {
  readonly entries: readonly QueueEntry[];
  readonly edit?: QueuedEdit;
}

export interface QueuedEdit {
  readonly inputs: string;
  readonly plans: readonly string[];
  /** None of `plans`. They stay when the edit is taken back. */
  readonly shared?: readonly string[];
}

/** True when the start of a plan would act upon an edit that waits: it asked for that plan. */
export function isForEdit(edit: QueuedEdit | undefined, plan: string): boolean {
  return edit?.plans.includes(plan) === true || edit?.shared?.includes(plan) === true;
}

/** The queue of an Instance; empty without one, and for a text that is none. Entries that cannot be read are left out. */
export function runQueueOf({ metadata }: Pick<Instance, 'metadata'>): RunQueue {
  const value = parseJsonObject(metadata.annotations?.[QUEUE_ANNOTATION] ?? '');
  if (value === undefined) return { entries: [] };
  const found = Array.isArray(value.entries) ? value.entries.filter(isJsonObject).map(readEntry) : [];
  const entries = found.filter(({ plan }, index) => plan !== '' && isFirst(found, index)).slice(0, MOST_ENTRIES);
  return { entries, ...readEdit(value.edit) };
}

/** The Instance with this queue; without the annotation when it says nothing. The same object when nothing changes. */
export function withRunQueue(instance: Instance, queue: RunQueue): Instance {
  const { entries, edit } = queue;
  const text = entries.length === 0 && edit === undefined ? undefined : formatRunQueue(queue);
  if (instance.metadata.annotations?.[QUEUE_ANNOTATION] === text) return instance;
  const { [QUEUE_ANNOTATION]: _, ...others } = instance.metadata.annotations ?? {};
  const annotations = text === undefined ? others : { ...others, [QUEUE_ANNOTATION]: text };
  const { annotations: _all, ...metadata } = instance.metadata;
  return { ...instance, metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations } };
}

/** The annotation's text. */
export function formatRunQueue({ entries, edit }: RunQueue): string {
  return JSON.stringify({ entries: entries.slice(0, MOST_ENTRIES), ...(edit === undefined ? {} : { edit }) });
}

function isFirst(entries: readonly QueueEntry[], index: number): boolean {
  return entries.findIndex(({ plan }) => plan === entries[index]?.plan) === index;
}

function readEntry(value: JsonObject): QueueEntry {
  const text = (key: string) => (stringAt(value, key) ?? '').slice(0, MAX_TEXT_CHARS);
  const optional = OPTIONAL_TEXTS.flatMap((key) => (text(key) === '' ? [] : [[key, text(key)] as const]));
  return {
    plan: text('plan'),
    uid: text('uid'),
    cause: RUN_CAUSES.find((known) => known === value.cause) ?? 'Manual',
    at: text('at'),
    ...Object.fromEntries(optional),
    ...(value.confirmed === true ? { confirmed: true } : {}),
  };
}

function readEdit(value: unknown): { edit?: QueuedEdit } {
  if (!isJsonObject(value)) return {};
  const inputs = stringAt(value, 'inputs') ?? '';
  const shared = readNames(value.shared);
  if (inputs === '') return {};
  return { edit: { inputs, plans: readNames(value.plans), ...(shared.length === 0 ? {} : { shared }) } };
}

function readNames(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string').slice(0, MOST_ENTRIES) : [];
}
