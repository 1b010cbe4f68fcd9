import { TerminalError } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import { parameterSourceOf, sourceWords } from '@/lib/kudo/sources/parameter-source';
import type { Instance } from '@/lib/kudo/types';
import { isOver, type PlanRun, type RecordedChange } from './plan-run';
import { isCutList, isCutValue } from './run-origin';
import { byTime } from './run-words';

/** The edit of an Instance that undoes a run, and what a person should know before. */
export interface UndoEdit {
  /** The values from before the run; null takes the Instance's own value away. Values that are the same now are left out. */
  readonly parameters: { readonly [name: string]: string | null };
  /** The name of the OperatorVersion from before the run; undefined when the Instance has it already. */
  readonly operatorVersion: string | undefined;
  /** What changed the same since, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * What sets the parameters and the version of an Instance back to those from before a run.
 *
 * @param others runs of the same namespace, in any order; later ones that changed the same are named
 * @throws TerminalError `Invalid` when the run is not over, changed nothing, or its record does not hold the values from before
 */
export function undoEdit(run: PlanRun, instance: Instance, others: readonly PlanRun[]): UndoEdit {
  const name = nameOf(run);
  if (!isOver(run.status?.status)) throw invalid(`run ${name} is still under way; cancel it first`);
  if (run.spec?.instanceUid !== instance.metadata.uid) {
    throw invalid(`run ${name} is of an earlier Instance ${nameOf(instance)}, which does not exist any more`);
  }
  const { changes = [], operatorVersionBefore } = run.status ?? {};
  if (changes.length === 0 && operatorVersionBefore === undefined) {
    throw invalid(`run ${name} changed no parameter and no version, so there is nothing to undo`);
  }
  checkKnown(run, instance, changes);
  const values = changes.map(({ name: parameter = '', before = null }) => [parameter, before] as const);
  const parameters = values.filter(([parameter, value]) => (instance.spec?.parameters?.[parameter] ?? null) !== value);
  const isOtherVersion = instance.spec?.operatorVersion?.name !== operatorVersionBefore;
  const operatorVersion = isOtherVersion ? operatorVersionBefore : undefined;
  if (parameters.length === 0 && operatorVersion === undefined) {
    throw invalid(`Instance ${nameOf(instance)} already has the parameters and the version from before run ${name}`);
  }
  const edit = { parameters: Object.fromEntries(parameters), operatorVersion };
  const later = others.filter((other) => other.spec?.instanceUid === run.spec?.instanceUid && byTime(other, run) < 0);
  return {
    ...edit,
    notes: [...later]
      .sort(byTime)
      .reverse()
      .flatMap((each) => notesOn(each, edit)),
  };
}

/** @throws TerminalError `Invalid` that names the first parameter whose value from before nobody knows, and the way out */
function checkKnown(run: PlanRun, instance: Instance, changes: readonly RecordedChange[]): void {
  const name = nameOf(run);
  const flags = changes.map(({ name: parameter = '' }) => `-p ${parameter}=…`).join(' ');
  const wayOut = `Set the values yourself with \`bravo update --instance ${nameOf(instance)} ${flags}\``;
  if (isCutList(changes))
    throw invalid(`The record of run ${name} may not name all parameters that changed. ${wayOut}`);
  for (const { name: parameter = '', before = '', secret = false } of changes) {
    const source = parameterSourceOf(instance.spec, parameter);
    const elsewhere = source === undefined ? undefined : `It is in ${sourceWords(source)}: change it there`;
    if (secret) {
      const why = `Run ${name} changed ${parameter}, a secret value of which only a fingerprint is kept`;
      throw invalid(`${why}. ${elsewhere ?? wayOut}`);
    }
    if (elsewhere !== undefined) throw invalid(`Parameter ${parameter} has no value of its own now. ${elsewhere}`);
    if (isCutValue(before)) {
      throw invalid(`The value of ${parameter} before run ${name} is too long for its record. ${wayOut}`);
    }
  }
}

function notesOn(later: PlanRun, { parameters, operatorVersion }: Omit<UndoEdit, 'notes'>): string[] {
  const { changes = [], operatorVersionBefore, operatorVersion: moved = '' } = later.status ?? {};
  const same = changes.filter(({ name = '' }) => Object.hasOwn(parameters, name));
  const values = same.map(({ name = '', after, secret = false }) => {
    const value = after === undefined ? 'its default' : secret ? 'a secret value' : JSON.stringify(after);
    return `The later run ${nameOf(later)} set ${name} to ${value}. That is undone too.`;
  });
  const isMoved = operatorVersion !== undefined && operatorVersionBefore !== undefined;
  return [
    ...values,
    ...(isMoved ? [`The later run ${nameOf(later)} moved to version ${moved}. That is undone too.`] : []),
  ];
}

function invalid(message: string): TerminalError {
  return new TerminalError(message, 'Invalid');
}
