import { BlockedError, ConflictError, messageOf, TerminalError } from '@/lib/errors/errors';
import type { JsonObject, JsonValue } from '@/lib/json/json';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { ChangePreview, InstanceEdit } from '@/lib/kudo/admission/triggers';
import { approvalFor, newestFirst, PLAN_APPROVALS, type PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { CONFIRM_ANNOTATION, hasPlan, operatorVersionKey } from '@/lib/kudo/names';
import { latestPlan } from '@/lib/kudo/plan/latest-plan';
import { isDeleting } from '@/lib/kudo/plan/scheduled';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import { claimText, type RunWishes, requestAnnotations } from '@/lib/kudo/runs/run-request';
import { whyBusy } from '@/lib/kudo/schedules/start-check';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { isNewer, releaseName } from '@/lib/kudo/upgrades/find-path';
import { givenFor } from '@/lib/kudo/upgrades/given-values';
import { movedInstance } from '@/lib/kudo/upgrades/moved-instance';
import type { UpgradeMove } from '@/lib/kudo/upgrades/next-upgrade-status';
import { isUpgradeOver, type OperatorUpgrade, UPGRADE_ANNOTATION } from '@/lib/kudo/upgrades/operator-upgrade';
import { problemsOf } from '@/lib/kudo/upgrades/parameter-rows';
import { previewChange } from '@/server/preconditions/preview-change';
import { versionsOf } from '@/server/upgrades/plan-upgrade';
import { type ReconcilerDeps, readOperatorVersion } from './reconciler-deps';
import { keepValuesBefore, type ValuesBefore, valuesBefore } from './values-before';
import { waveRunOf, waveRunUid } from './wave-run';

const ATTEMPTS = 5;

/** `held`: not now, and why. `failed`: never. Messages are sentences. */
export type MoveResult =
  | { readonly is: 'moved' }
  | { readonly is: 'held'; readonly message: string }
  | { readonly is: 'failed'; readonly message: string };

const MOVED: MoveResult = { is: 'moved' };
const held = (message: string): MoveResult => ({ is: 'held', message });

/**
 * Writes one move to its Instance, unless that was done. It decides upon the Instance as it is stored, and the write is guarded by that, so that it
 * may be repeated by any controller after a crash at any place.
 *
 * @throws TransientError when the API server does not answer
 */
export async function moveUpgraded(
  deps: ReconcilerDeps,
  upgrade: OperatorUpgrade,
  move: UpgradeMove,
): Promise<MoveResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await (upgrade.spec?.plan === undefined ? tryMove : tryStart)(deps, upgrade, move);
    } catch (error) {
      if (error instanceof ConflictError) {
        if (attempt >= ATTEMPTS) return held('The Instance changes all the time.');
      } else if (error instanceof TerminalError || error instanceof BlockedError)
        return held(sentence(messageOf(error)));
      else throw error;
    }
  }
}

async function tryMove(deps: ReconcilerDeps, upgrade: OperatorUpgrade, move: UpgradeMove): Promise<MoveResult> {
  const { name } = move.entry;
  const instance = await deps.store.refresh(`${namespaceOf(upgrade)}/${name}`);
  if (instance === undefined || isDeleting(instance)) return held(`Instance ${name} does not exist.`);
  const wanted = move.do === 'retry' ? undefined : move.version;
  if (operatorVersionKey(instance).name === wanted) return MOVED;
  if (move.do === 'retry' && latestPlan(instance)?.status.uid !== move.entry.retryOf) return MOVED;
  const other = await otherUpgrade(deps, upgrade, instance);
  if (other !== undefined) return held(`OperatorUpgrade ${other} moves it, and is not over.`);
  const busy = whyBusy(instance);
  if (busy !== undefined) return held(busy);
  const current = await readOperatorVersion(deps, operatorVersionKey(instance));
  const target =
    wanted === undefined
      ? current
      : await readOperatorVersion(deps, { namespace: namespaceOf(instance), name: wanted });
  if (target === undefined) return held(`OperatorVersion ${wanted ?? ''} does not exist.`);
  const wrong = move.do === 'move' ? whyNotForward(upgrade, current, target) : undefined;
  if (wrong !== undefined) return { is: 'failed', message: wrong };
  const edit = await editOf(deps, upgrade, { move, instance, target });
  if (typeof edit === 'string') return { is: 'failed', message: edit };
  return write(deps, upgrade, { move, instance, current, target, edit });
}

/** Starts the plan of the upgrade, unless that was done. */
async function tryStart(deps: ReconcilerDeps, upgrade: OperatorUpgrade, move: UpgradeMove): Promise<MoveResult> {
  const { name, retryOf } = move.entry;
  const plan = upgrade.spec?.plan ?? '';
  const instance = await deps.store.refresh(`${namespaceOf(upgrade)}/${name}`);
  if (instance === undefined || isDeleting(instance)) return held(`Instance ${name} does not exist.`);
  const run = waveRunOf(upgrade, instance);
  if (run !== undefined && run.uid !== retryOf) return MOVED;
  const other = await otherUpgrade(deps, upgrade, instance);
  if (other !== undefined) return held(`OperatorUpgrade ${other} has it, and is not over.`);
  const busy = whyBusy(instance);
  if (busy !== undefined) return held(busy);
  const current = await readOperatorVersion(deps, operatorVersionKey(instance));
  if (current === undefined) return held(`OperatorVersion ${operatorVersionKey(instance).name} does not exist.`);
  const operator = current.spec?.operator?.name ?? '';
  if (operator !== upgrade.spec?.operator) {
    return {
      is: 'failed',
      message: `It is an Instance of operator ${operator}, and not of ${upgrade.spec?.operator ?? ''}.`,
    };
  }
  if (!hasPlan(current, plan))
    return { is: 'failed', message: `Operator ${operator} has no plan ${plan} in this version.` };
  const edit = { plan, nowMs: deps.clock.now() };
  return write(deps, upgrade, {
    move: { do: 'retry', entry: move.entry, plan },
    instance,
    current,
    target: current,
    edit,
  });
}

/** The name of another upgrade that has the Instance, and is not over. */
async function otherUpgrade(
  deps: ReconcilerDeps,
  upgrade: OperatorUpgrade,
  instance: Instance,
): Promise<string | undefined> {
  const name = instance.metadata.annotations?.[UPGRADE_ANNOTATION] ?? '';
  if (name === '' || name === nameOf(upgrade)) return undefined;
  const found = await deps.upgrades.refresh(`${namespaceOf(upgrade)}/${name}`);
  return found === undefined || isUpgradeOver(found) ? undefined : name;
}

function whyNotForward(
  { spec }: OperatorUpgrade,
  current: OperatorVersion | undefined,
  target: OperatorVersion,
): string | undefined {
  const operators = [current, target].map((version) => version?.spec?.operator?.name ?? '');
  const other = operators.find((name) => name !== spec?.operator);
  if (other !== undefined) return `It is an Instance of operator ${other}, and not of ${spec?.operator ?? ''}.`;
  const [from, to] = [versionsOf(current ?? target), versionsOf(target)];
  return isNewer(from, to) ? undefined : `Version ${releaseName(to)} is not newer than ${releaseName(from)}.`;
}

interface Moving {
  readonly move: UpgradeMove;
  readonly instance: Instance;
  readonly target: OperatorVersion;
}

/** What changes in the Instance, or why it cannot. */
async function editOf(
  deps: ReconcilerDeps,
  upgrade: OperatorUpgrade,
  { move, instance, target }: Moving,
): Promise<InstanceEdit | string> {
  const nowMs = deps.clock.now();
  if (move.do === 'retry') return { plan: move.plan, nowMs };
  if (move.do === 'move')
    return { operatorVersion: target, parameters: givenFor(target, upgrade.spec?.parameters ?? {}), nowMs };
  const before = await valuesBefore(deps.api, upgrade, nameOf(instance));
  if (before === undefined) return 'The values from before the upgrade are lost: its Secret does not exist.';
  return { operatorVersion: target, ...restoring(instance, before), nowMs };
}

/** The parameters and sources that lead back to what was kept. */
function restoring({ spec = {} }: Instance, before: ValuesBefore): Pick<InstanceEdit, 'parameters' | 'sources'> {
  const parameters: { [name: string]: string | null } = {};
  for (const name of Object.keys(spec.parameters ?? {})) parameters[name] = null;
  for (const [name, value] of Object.entries(before.parameters)) {
    if (spec.parameters?.[name] === value) delete parameters[name];
    else parameters[name] = value;
  }
  const sources = [
    ...(spec.parametersFrom ?? []).map(({ name = '' }) => [name, null] as const),
    ...before.parametersFrom.map((source) => [source.name ?? '', source] as const),
  ];
  return { parameters, ...(sources.length === 0 ? {} : { sources: Object.fromEntries(sources) }) };
}

interface Writing extends Moving {
  readonly current: OperatorVersion | undefined;
  readonly edit: InstanceEdit;
}

async function write(deps: ReconcilerDeps, upgrade: OperatorUpgrade, writing: Writing): Promise<MoveResult> {
  const { move, instance, current, target, edit } = writing;
  const judge = (asked: InstanceEdit) => previewChange(deps.api, instance, current, asked);
  let asked = edit;
  let preview = await judge(asked);
  const approval = await givenApproval(deps, { preview, instance, target, edit });
  if (approval !== undefined) {
    asked = { ...edit, approval };
    preview = await judge(asked);
  }
  if (preview.outcome === 'refused') return held(sentence(preview.message ?? 'The change is refused'));
  const [wrong] = move.do === 'move' ? problemsOf(target, movedInstance(instance, target, edit.parameters ?? {})) : [];
  if (wrong !== undefined) return held(sentence(wrong.message));
  const { confirmation, plan = '' } = preview;
  if (confirmation !== undefined && upgrade.spec?.confirm !== upgrade.spec?.operator) {
    return held(
      `Plan ${plan} deletes or replaces data. To confirm it, set spec.confirm to ${upgrade.spec?.operator ?? ''}.`,
    );
  }
  if (move.do === 'move') await keepValuesBefore(deps.api, upgrade, instance);
  const run = upgrade.spec?.plan === undefined ? undefined : waveRunUid(upgrade, nameOf(instance), move.entry.retryOf);
  const patch = patchOf(upgrade, writing, preview, {
    ...(approval === undefined ? {} : { approval }),
    ...(run === undefined ? {} : { slot: claimText(run, 'Waves', deps.fingerprints) }),
  });
  const stored = { ...INSTANCES, namespace: namespaceOf(instance), name: nameOf(instance) };
  const written = (await deps.api.patch(stored, 'merge', patch)) as Instance;
  const uid = written.spec?.planExecution?.uid ?? '';
  if (run === undefined || uid === run) return MOVED;
  // A run that is not recognized would be started again and again.
  return { is: 'failed', message: `A webhook that is not Bravo's renamed the run to ${uid}, so its end is not known.` };
}

/** An approval that a second person gave for this plan and version; undefined when the plan needs none. */
async function givenApproval(
  deps: ReconcilerDeps,
  {
    preview,
    instance,
    target,
    edit,
  }: Pick<Moving, 'instance' | 'target'> & { preview: ChangePreview; edit: InstanceEdit },
): Promise<string | undefined> {
  const plans = Object.keys(target.spec?.plans ?? {}).filter((plan) => planMetadataOf(target, plan).approval === true);
  if (plans.length === 0) return undefined;
  const { items } = await deps.api.list({ ...PLAN_APPROVALS, namespace: namespaceOf(instance) });
  const open = (items as PlanApproval[]).filter(
    ({ spec }) =>
      spec?.instanceName === nameOf(instance) &&
      plans.includes(spec.plan ?? '') &&
      (preview.plan ?? spec.plan) === spec.plan,
  );
  const start = { operatorVersion: nameOf(target), parameters: Object.keys(edit.parameters ?? {}) };
  const found = approvalFor(open.sort(newestFirst), start);
  return found === undefined ? undefined : nameOf(found);
}

/** The write of a person who moves the Instance, with the name of the upgrade on it. */
function patchOf(
  upgrade: OperatorUpgrade,
  { move, instance, target, edit }: Writing,
  preview: ChangePreview,
  proof: Pick<RunWishes, 'approval' | 'slot'>,
): JsonObject {
  const { plan, confirmation } = preview;
  const { wave, name, retryOf = '' } = move.entry;
  const why = upgrade.spec?.reason ?? '';
  const what =
    upgrade.spec?.plan === undefined
      ? `upgrade ${nameOf(upgrade)}, wave ${wave}${move.do === 'back' ? ', back' : ''}`
      : `wave ${wave} of ${nameOf(upgrade)}`;
  const said = { reason: why === '' ? what : `${what}: ${why}`, ...proof };
  const retryUid = waveRunUid(upgrade, name, retryOf);
  const [before, after] = [instance.spec?.parametersFrom, preview.instance.spec?.parametersFrom];
  const sources =
    JSON.stringify(before ?? []) === JSON.stringify(after ?? [])
      ? {}
      : { parametersFrom: (after ?? null) as unknown as JsonValue };
  return {
    metadata: {
      resourceVersion: instance.metadata.resourceVersion ?? '',
      annotations: {
        [UPGRADE_ANNOTATION]: nameOf(upgrade),
        ...requestAnnotations(plan, said),
        ...(confirmation === undefined ? {} : { [CONFIRM_ANNOTATION]: confirmation }),
      },
    },
    spec:
      move.do === 'retry'
        ? { planExecution: { planName: move.plan, uid: retryUid, status: null } }
        : { operatorVersion: { name: nameOf(target) }, parameters: { ...edit.parameters }, ...sources },
  };
}

function sentence(text: string): string {
  const first = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
