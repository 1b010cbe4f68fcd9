import { jsonEqual } from '@/lib/json/json';
import { INVENTORY_ANNOTATION } from '@/lib/kudo/inventory/inventory';
import {
  formatActedUpon,
  instanceAsActedUpon,
  type RecordContext,
  valuesActedUpon,
  withSources,
} from '@/lib/kudo/plan/acted-upon';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import { actedUpon, type EndedByHand, parseActedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { HISTORY_ANNOTATION } from '@/lib/kudo/plan/run-history';
import { isTerminal } from '@/lib/kudo/plan/status';
import { QUEUE_ANNOTATION } from '@/lib/kudo/queue/run-queue';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import { sourceTexts } from '@/lib/kudo/sources/parameter-source';
import type { Instance } from '@/lib/kudo/types';

/** The text of the record on an Instance. */
export function actedUponRecord(instance: Instance): string | undefined {
  return instance.metadata.annotations?.[ACTED_UPON_ANNOTATION];
}

/** The Instance with this record; without any when `text` is undefined. The same object when nothing changes. */
export function withActedUponRecord(instance: Instance, text: string | undefined): Instance {
  if (actedUponRecord(instance) === text) return instance;
  const { [ACTED_UPON_ANNOTATION]: _, ...others } = instance.metadata.annotations ?? {};
  const annotations = text === undefined ? others : { ...others, [ACTED_UPON_ANNOTATION]: text };
  const { annotations: _old, ...metadata } = instance.metadata;
  return {
    ...instance,
    metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations },
  };
}

/** A new Instance without what its manifest may have brought from another one: nothing was acted upon, nothing is owned. */
export function withoutMemory(sent: Instance): Instance {
  const bare = withActedUponRecord(sent, undefined);
  const before = bare.metadata.annotations ?? {};
  const own = [INVENTORY_ANNOTATION, HISTORY_ANNOTATION, QUEUE_ANNOTATION];
  if (own.every((name) => before[name] === undefined)) return bare;
  const annotations = Object.fromEntries(Object.entries(before).filter(([name]) => !own.includes(name)));
  return { ...bare, metadata: { ...bare.metadata, annotations } };
}

/**
 * What was sent, with the record that is stored. A manifest that knows nothing of the record (`kubectl replace`) keeps the
 * inventory and the history of runs too: they are as little the person's to take away.
 */
export function withMemoryOf(stored: Instance, sent: Instance): Instance {
  const kept = withActedUponRecord(sent, actedUponRecord(stored));
  const inventory = stored.metadata.annotations?.[INVENTORY_ANNOTATION];
  const history = stored.metadata.annotations?.[HISTORY_ANNOTATION];
  const isBare = actedUponRecord(sent) === undefined && actedUponRecord(stored) !== undefined;
  if (!isBare || (inventory === undefined && history === undefined)) return kept;
  const annotations = {
    ...(inventory === undefined ? {} : { [INVENTORY_ANNOTATION]: inventory }),
    ...(history === undefined ? {} : { [HISTORY_ANNOTATION]: history }),
    ...kept.metadata.annotations,
  };
  return { ...kept, metadata: { ...kept.metadata, annotations } };
}

/**
 * True when a record says what is: its version and parameters are those of the Instance, and its execution the scheduled
 * one. The controller writes that when it begins a plan, or takes an Instance over as it is.
 */
export function saysWhatIs(text: string | undefined, instance: Instance, fingerprints: Fingerprinter): boolean {
  const record = parseActedUpon(text);
  if (record === undefined || record.ended !== undefined) return false;
  const { planName, uid } = instance.spec?.planExecution ?? {};
  if (!Object.values(record.fingerprints ?? {}).every((each) => fingerprints.isComparable(each))) return false;
  const { name = '', namespace = '' } = instance.spec?.operatorVersion ?? {};
  const isSameVersion = record.operatorVersion.name === name && (record.operatorVersion.namespace ?? '') === namespace;
  const values = withSources(instance).spec?.parameters ?? {};
  const isSameInput =
    jsonEqual(record.sources ?? {}, sourceTexts(instance.spec)) &&
    jsonEqual(valuesActedUpon(record, instance, fingerprints), values);
  return isSameVersion && isSameInput && (record.uid === undefined || (record.uid === uid && record.plan === planName));
}

/**
 * What was sent, whose record says of the execution that is stored why it began and who asked for it as the stored one does: nobody
 * changes that afterwards. The same object when it does so already.
 */
export function withOriginOf(stored: Instance, sent: Instance): Instance {
  const [known, given] = [actedUpon(stored), actedUpon(sent)];
  const isSameRun = known?.uid !== undefined && known.uid === given?.uid;
  if (!isSameRun || known.origin === undefined || jsonEqual(known.origin, given.origin)) return sent;
  return withActedUponRecord(sent, JSON.stringify({ ...given, origin: known.origin }));
}

/**
 * The record of an execution that a person ends by writing its status; undefined when it has ended already by itself, so
 * that nothing is left to be said.
 */
export function recordOfEnd(
  stored: Instance,
  context: RecordContext,
  end: { readonly status: EndedByHand; readonly now: string },
): string | undefined {
  const { planName: plan = '', uid = '' } = stored.spec?.planExecution ?? {};
  const known = stored.status?.planStatus?.[plan];
  if (uid === '' || (known?.uid === uid && isTerminal(known.status))) return undefined;
  const startedAt = actedUpon(stored)?.startedAt ?? end.now;
  const inputs = instanceAsActedUpon(stored, context.fingerprints);
  return formatActedUpon(inputs, context, { plan, uid, startedAt, ended: end.status });
}
