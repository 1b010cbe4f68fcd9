import { isJsonObject, type JsonObject, type JsonValue, parseJsonObject } from '@/lib/json/json';
import { PLAN_METADATA_ANNOTATION } from '@/lib/kudo/names';
import type { OperatorVersion } from '@/lib/kudo/types';

/**
 * What operator.yaml says of a plan beside its phases. KUDO's CRD prunes a field that it does not know, and KUDO's client ignores
 * it in a package, so that it travels as JSON in the annotation `bravo.kudo.dev/plan-metadata` of the OperatorVersion:
 *
 * `{PLAN:{"displayName","description","icon","parameters":[],"confirm","destructive","approval","preconditions":[{"expression","message"}],
 * "objects":[{"name","apiVersion","kind","objectName"}],"concurrency":{"group","limit"},"backups"}}`
 *
 * Every key may be absent. What does not have this shape is left out: the annotation can be edited by anybody.
 */
export interface PlanMetadata {
  /** What the button says. */
  readonly displayName?: string;
  /** What the plan does, in a sentence or two. */
  readonly description?: string;
  /** One of {@link PLAN_ICONS}; others have no effect. */
  readonly icon?: string;
  /** Names of the parameters that the dialog of the plan asks for. */
  readonly parameters?: readonly string[];
  /** What a person confirms, as a sentence. */
  readonly confirm?: string;
  /** The plan deletes or replaces data: each start needs a confirmation (confirmation.ts). */
  readonly destructive?: boolean;
  /** A second person approves each start (lib/kudo/approvals). */
  readonly approval?: boolean;
  /** The plan starts only when all of them hold (judge-preconditions.ts). */
  readonly preconditions?: readonly Precondition[];
  /** At most so many runs of this group begin at once, of all Instances of the operator in a namespace (plan/concurrency.ts). */
  readonly concurrency?: ConcurrencyGroup;
  /** What the plan does with backups, one of {@link BACKUP_ACTS}; others have no effect (lib/kudo/runs/backups.ts). */
  readonly backups?: string;
  /** Objects that preconditions look at, read when the plan is to start. */
  readonly objects?: readonly PlanObject[];
}

export interface ConcurrencyGroup {
  readonly group: string;
  /** From 1. */
  readonly limit: number;
}

export interface Precondition {
  /** CEL over `params`, `instance` and `objects` that gives a boolean. */
  readonly expression: string;
  /** Why the plan cannot start, and what to do, when the expression is false. */
  readonly message: string;
}

/** An object in the namespace of the Instance (or without a namespace), `objects.NAME` in preconditions. */
export interface PlanObject {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** A template that sees what templates of objects see: `{{ .Name }}-backups`. */
  readonly objectName: string;
}

/** Metadata by plan; a plan that says nothing is left out. */
export type PlanMetadataByPlan = { readonly [plan: string]: PlanMetadata };

/** Names of icons (lucide.dev) that a plan may have. */
export const PLAN_ICONS: readonly string[] = [
  'archive-restore',
  'arrow-left-right',
  'circle-arrow-up',
  'database',
  'history',
  'key-round',
  'play',
  'power',
  'refresh-cw',
  'save',
  'scaling',
  'search-check',
  'shield-check',
  'trash-2',
  'wrench',
];

/** `create`: makes a backup. `restore`, `delete`: does that with the backup that a parameter of the plan names. */
export const BACKUP_ACTS: readonly string[] = ['create', 'restore', 'delete'];

/** The metadata of a plan of an OperatorVersion; empty when it has none. */
export function planMetadataOf(operatorVersion: OperatorVersion | undefined, plan: string): PlanMetadata {
  const text = operatorVersion?.metadata.annotations?.[PLAN_METADATA_ANNOTATION];
  if (text === undefined) return {};
  const byPlan = parseJsonObject(text);
  const found = byPlan !== undefined && Object.hasOwn(byPlan, plan) ? byPlan[plan] : undefined;
  return isJsonObject(found) ? readMetadata(found) : {};
}

/** The annotation's JSON, or undefined when no plan says anything. */
export function formatPlanMetadata(byPlan: PlanMetadataByPlan): string | undefined {
  const entries = Object.entries(byPlan).filter(([, metadata]) => Object.keys(metadata).length > 0);
  return entries.length === 0 ? undefined : JSON.stringify(Object.fromEntries(entries));
}

function readMetadata(value: JsonObject): PlanMetadata {
  const { parameters, destructive, approval } = value;
  const preconditions = members(value.preconditions, readPrecondition);
  const objects = members(value.objects, readPlanObject);
  return {
    ...text(value, 'displayName'),
    ...text(value, 'description'),
    ...text(value, 'icon'),
    ...text(value, 'confirm'),
    ...(Array.isArray(parameters) ? { parameters: parameters.filter((name) => typeof name === 'string') } : {}),
    ...(typeof destructive === 'boolean' ? { destructive } : {}),
    ...(typeof approval === 'boolean' ? { approval } : {}),
    ...(preconditions === undefined ? {} : { preconditions }),
    ...(objects === undefined ? {} : { objects }),
    ...readConcurrency(value.concurrency),
    ...text(value, 'backups'),
  };
}

function readConcurrency(value: JsonValue | undefined): { concurrency?: ConcurrencyGroup } {
  if (!isJsonObject(value)) return {};
  const { group, limit } = value;
  const isWhole = typeof group === 'string' && typeof limit === 'number' && Number.isInteger(limit);
  return isWhole && group !== '' && limit >= 1 ? { concurrency: { group, limit } } : {};
}

function readPrecondition(value: JsonObject): Precondition | undefined {
  const { expression, message } = value;
  return typeof expression === 'string' && typeof message === 'string' ? { expression, message } : undefined;
}

function readPlanObject(value: JsonObject): PlanObject | undefined {
  const { name, apiVersion, kind, objectName } = value;
  const isWhole = [name, apiVersion, kind, objectName].every((each) => typeof each === 'string');
  return isWhole ? ({ name, apiVersion, kind, objectName } as unknown as PlanObject) : undefined;
}

function members<T>(
  found: JsonValue | undefined,
  read: (member: JsonObject) => T | undefined,
): readonly T[] | undefined {
  if (!Array.isArray(found)) return undefined;
  return found.flatMap((member) => {
    const one = isJsonObject(member) ? read(member) : undefined;
    return one === undefined ? [] : [one];
  });
}

function text<K extends string>(value: JsonObject, key: K): { [P in K]?: string } {
  const found = value[key];
  return typeof found === 'string' ? ({ [key]: found } as { [P in K]: string }) : {};
}
