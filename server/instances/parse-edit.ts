import { TerminalError } from '@/lib/errors/errors';
import { getAt, isJsonObject, type JsonValue, stringAt } from '@/lib/json/json';
import type { ParameterEdit } from '@/lib/kudo/parameters/parameter-edit';
import type { RunWishes } from '@/lib/kudo/runs/run-request';

/** The start of a plan as the console sends it. */
export interface PlanStartRequest {
  readonly plan: string;
  /** New values of parameters that the plan asks for; null takes the Instance's own value away. */
  readonly parameters?: { readonly [name: string]: string | null };
  /** `PLAN/INSTANCE`, when the person confirmed a destructive plan. */
  readonly confirm?: string;
  /** What the person says about the run. */
  readonly wishes?: RunWishes;
}

/** Reads the body of an edit. @throws TerminalError `BadRequest` */
export function parseEdit(body: JsonValue | undefined): ParameterEdit {
  const parameters = readValues(getAt(body, 'parameters'));
  const seen = readValues(getAt(body, 'seen') ?? {});
  if (parameters === undefined || seen === undefined) {
    throw new TerminalError(
      '`parameters` and `seen` must be objects whose values are strings, or null for the default.',
      'BadRequest',
    );
  }
  const confirm = stringAt(body, 'confirm');
  const inline = getAt(body, 'inline') === true;
  return { parameters, seen, inline, ...(confirm === undefined ? {} : { confirm }), wishes: readWishes(body) };
}

/** What a request says about the run. Texts alone count; how long they may be is cut where they are used. */
export function readWishes(body: JsonValue | undefined): RunWishes {
  const names = ['reason', 'stopAfter', 'retryOf', 'preview', 'breakLock', 'approval'] as const;
  const said = names.flatMap((name) => {
    const text = stringAt(body, name);
    return text === undefined || text === '' ? [] : [[name, text] as const];
  });
  return Object.fromEntries(said);
}

/** Reads the body of a start: `parameters` that the plan asks for, and what was confirmed. @throws TerminalError `BadRequest` */
export function parseStart(body: JsonValue | undefined, plan: string): PlanStartRequest {
  const { parameters, confirm } = parseEdit({
    parameters: getAt(body, 'parameters') ?? {},
    confirm: stringAt(body, 'confirm') ?? null,
  });
  return { plan, parameters, ...(confirm === undefined ? {} : { confirm }), wishes: readWishes(body) };
}

function readValues(value: JsonValue | undefined): ParameterEdit['parameters'] | undefined {
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value);
  return entries.every((entry): entry is [string, string | null] => entry[1] === null || typeof entry[1] === 'string')
    ? Object.fromEntries(entries)
    : undefined;
}
