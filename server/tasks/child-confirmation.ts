import { TerminalError } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import { planForChange } from '@/lib/kudo/admission/triggers';
import { OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { operatorVersionKey, PLAN_METADATA_ANNOTATION } from '@/lib/kudo/names';
import { isDestructive } from '@/lib/kudo/plan-metadata/confirmation';
import type { Instance, InstanceSpec, ObjectReference, OperatorVersion } from '@/lib/kudo/types';
import type { TaskContext } from './context';

/** What a parent changes of its child. */
export interface ChildEdit {
  readonly operatorVersion?: ObjectReference;
  readonly parameters?: { readonly [name: string]: string | null };
}

/**
 * The confirmation that an edit of a child needs, as text of the annotation; undefined when the edit starts no destructive plan. The
 * person who confirmed the parent's plan confirmed what that plan does, so that a destructive plan of a parent passes it on.
 * @throws TerminalError `NotConfirmed` when the parent's plan is not destructive: nobody was asked
 */
export async function childConfirmation(
  live: Instance,
  edit: ChildEdit,
  context: TaskContext,
): Promise<string | undefined> {
  const next = { ...live, spec: { ...live.spec, ...reference(edit) } };
  const operatorVersion = await readVersion(next, context);
  if (operatorVersion?.metadata.annotations?.[PLAN_METADATA_ANNOTATION]?.includes('"destructive"') !== true) {
    return undefined;
  }
  const isMoved = edit.operatorVersion !== undefined;
  const before = isMoved ? await readVersion(live, context) : operatorVersion;
  const preview = planForChange(live, before, {
    ...(edit.parameters === undefined ? {} : { parameters: edit.parameters }),
    ...(isMoved ? { operatorVersion } : {}),
  });
  if (preview.confirmation === undefined) return undefined;
  if (isDestructive(context.operatorVersion, context.plan)) return preview.confirmation;
  const [plan = '', child, parent] = [preview.plan, nameOf(live), nameOf(context.instance)];
  throw new TerminalError(
    `Plan "${plan}" of the child Instance ${child} deletes or replaces data, but plan "${context.plan}" of Instance ${parent}, ` +
      `which starts it, is not marked "destructive: true", so that nobody was asked. Mark it in the operator.yaml of the parent.`,
    'NotConfirmed',
  );
}

function reference({ operatorVersion }: ChildEdit): Pick<InstanceSpec, 'operatorVersion'> {
  return operatorVersion === undefined ? {} : { operatorVersion };
}

async function readVersion(instance: Instance, { api }: TaskContext): Promise<OperatorVersion | undefined> {
  const key = operatorVersionKey(instance);
  return key.name === ''
    ? undefined
    : ((await api.get({ ...OPERATOR_VERSIONS, ...key })) as OperatorVersion | undefined);
}
