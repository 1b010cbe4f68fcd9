import type { Clock } from '@/lib/clock/clock';
import { ConflictError, TerminalError } from '@/lib/errors/errors';
import { type JsonValue, stringAt } from '@/lib/json/json';
import type { ChangePreview, InstanceEdit } from '@/lib/kudo/admission/triggers';
import { MAX_INSTANCE_NAME } from '@/lib/kudo/names';
import { PLAN_RUNS, type PlanRun, RUN_INSTANCE_LABEL } from '@/lib/kudo/runs/plan-run';
import { type GateWishes, gateWishes, requestAnnotations } from '@/lib/kudo/runs/run-request';
import { type UndoEdit, undoEdit } from '@/lib/kudo/runs/undo';
import type { OperatorVersion } from '@/lib/kudo/types';
import type { UndoPreview } from '@/lib/kudo/view/undo-preview';
import { topics } from '@/lib/live/topic';
import { confirmedAnnotations } from '@/server/instances/check-confirmation';
import { executionBegun } from '@/server/instances/execution-begun';
import { previewEffects } from '@/server/instances/preview-plan';
import { type InstanceKey, readInstance, type StoredInstance } from '@/server/instances/read-instance';
import type { Api } from '@/server/kube/api';
import { previewChange } from '@/server/preconditions/preview-change';

/** The controller writes the Instance often while a plan runs, so that some writes conflict. */
const ATTEMPTS = 5;

/** What a person says with an undo. */
export interface UndoRequest extends GateWishes {
  readonly reason?: string;
  /** The token of the preview that the person saw. */
  readonly preview?: string;
  /** `PLAN/INSTANCE`, when the person confirmed a destructive plan. */
  readonly confirm?: string;
}

/** Reads the body of an undo. Texts alone count. */
export function parseUndo(body: JsonValue | undefined): UndoRequest {
  const said = (['reason', 'preview', 'confirm', 'breakLock', 'approval'] as const).flatMap((name) => {
    const text = stringAt(body, name) ?? '';
    return text === '' ? [] : [[name, text] as const];
  });
  return Object.fromEntries(said);
}

/** An undo as it would be sent now. */
export interface PreparedUndo {
  readonly stored: StoredInstance;
  readonly undo: UndoEdit;
  readonly edit: InstanceEdit;
  readonly preview: ChangePreview;
}

/**
 * Reads what an undo needs, with the rights of the person.
 *
 * @param gates what decides whether the plan may start
 * @throws TerminalError `NotFound` without the run, its Instance or the version from before; `Invalid` when the run cannot be undone
 */
export async function prepareUndo(
  api: Api,
  { namespace, name }: InstanceKey,
  gates: GateWishes = {},
): Promise<PreparedUndo> {
  const run = (await api.get({ ...PLAN_RUNS, namespace, name })) as PlanRun | undefined;
  if (run === undefined) throw new TerminalError(`run ${namespace}/${name} does not exist`, 'NotFound');
  const { instanceName = '' } = run.spec ?? {};
  const stored = await readInstance(api, { namespace, name: instanceName });
  const undo = undoEdit(run, stored.instance, await runsOf(api, namespace, instanceName));
  const operatorVersion = await versionOf(api, namespace, undo.operatorVersion);
  const version = operatorVersion === undefined ? {} : { operatorVersion };
  const edit = { parameters: undo.parameters, ...version, ...gateWishes(gates) };
  const preview = await previewChange(api, stored.instance, stored.operatorVersion, edit);
  if (preview.outcome === 'stores') {
    const names = Object.keys(undo.parameters).join(', ');
    const message = `run ${name} got ${names} with its start, and no plan starts when they change; what a plan did is not undone by its parameters`;
    throw new TerminalError(message, 'Invalid');
  }
  return { stored, undo, edit, preview };
}

async function runsOf(api: Api, namespace: string, instance: string): Promise<PlanRun[]> {
  const isLabelled = instance.length <= MAX_INSTANCE_NAME;
  const labelSelector = isLabelled ? `${RUN_INSTANCE_LABEL}=${instance}` : undefined;
  return (await api.list({ ...PLAN_RUNS, namespace }, { labelSelector })).items as PlanRun[];
}

async function versionOf(api: Api, namespace: string, name: string | undefined): Promise<OperatorVersion | undefined> {
  if (name === undefined) return undefined;
  const found = await api.get({ ...topics.operatorVersions, namespace, name });
  if (found !== undefined) return found as OperatorVersion;
  throw new TerminalError(
    `OperatorVersion ${name} from before the run does not exist any more; install it`,
    'NotFound',
  );
}

/** What undoing a run would do. Nothing is written. @throws TerminalError as {@link prepareUndo} */
export async function previewUndo(
  api: Api,
  key: InstanceKey,
  clock: Clock,
  gates: GateWishes = {},
): Promise<UndoPreview> {
  const { stored, undo, edit, preview } = await prepareUndo(api, key, gates);
  const from = stored.instance.spec?.operatorVersion?.name ?? '';
  return {
    ...(await previewEffects(api, stored, { edit }, clock)),
    changes: preview.changes,
    version: undo.operatorVersion === undefined ? undefined : { from, to: undo.operatorVersion },
    notes: undo.notes,
  };
}

/**
 * Sets the parameters and the version of an Instance back to those from before a run, in one write with the rights of the person that is
 * guarded by the resourceVersion of what was read. The plan that they trigger is a new run, which names the one that it undoes.
 *
 * @returns the plan that starts, and the UID of its execution where that is known
 * @throws TerminalError as {@link prepareUndo}, and `Invalid` when the plan is refused; Refusal 422 when it was not confirmed
 */
export async function undoRun(
  api: Api,
  key: InstanceKey,
  { reason = '', preview: token = '', confirm, ...gates }: UndoRequest,
): Promise<{ plan: string | undefined; uid?: string | undefined }> {
  for (let attempt = 1; ; attempt++) {
    const { stored, undo, preview } = await prepareUndo(api, key, gates);
    const { plan, message = 'The undo is refused.' } = preview;
    if (preview.outcome === 'refused') throw new TerminalError(message, 'Invalid');
    const { name = '', resourceVersion = '' } = stored.instance.metadata;
    const annotations = {
      ...confirmedAnnotations(preview, confirm),
      ...requestAnnotations(plan, { undoOf: key.name, reason, preview: token, ...gates }),
    };
    const version = undo.operatorVersion === undefined ? {} : { operatorVersion: { name: undo.operatorVersion } };
    try {
      const written = await api.patch({ ...topics.instances, namespace: key.namespace, name }, 'merge', {
        metadata: { resourceVersion, annotations },
        spec: { parameters: undo.parameters, ...version },
      });
      return { plan, uid: executionBegun(stored.instance, written) };
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === ATTEMPTS) throw error;
    }
  }
}
