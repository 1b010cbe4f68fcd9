import { BlockedError, ConflictError, messageOf, TerminalError } from '@/lib/errors/errors';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { neededInputs } from '@/lib/kudo/live-values/live-inputs';
import {
  fingerprintsOf,
  formatSeenInputs,
  SEEN_INPUTS_ANNOTATION,
  type SeenInputs,
  seenInputs,
  type WatchedInput,
  watchedInputs,
} from '@/lib/kudo/live-values/seen-inputs';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { claimText, requestAnnotations } from '@/lib/kudo/runs/run-request';
import { derivedUid } from '@/lib/kudo/schedules/slot-uid';
import { whyBusy, whyRefused } from '@/lib/kudo/schedules/start-check';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { readLiveInputs } from '@/server/live-values/read-live-inputs';
import { previewChange } from '@/server/preconditions/preview-change';
import { keyOf } from './instance-store';
import type { ReconcilerDeps } from './reconciler-deps';

/**
 * Starts the plan of an object that differs from what the last run has seen of it. The write is that of a person who starts the plan, guarded
 * by the Instance as it was decided upon; its uid comes from the change, so that a second try is the same execution. An object that does
 * not exist, or is not ready, starts nothing.
 *
 * @returns true when a plan was asked for
 * @throws TransientError when the API server does not answer
 */
export async function startForObject(
  deps: ReconcilerDeps,
  instance: Instance,
  operatorVersion: OperatorVersion | undefined,
): Promise<boolean> {
  const seen = seenInputs(instance);
  if (operatorVersion === undefined || Object.keys(seen).length === 0 || whyBusy(instance) !== undefined) return false;
  const change = await firstChange(deps, { instance, operatorVersion, seen });
  if (change === undefined) return false;
  try {
    return await start(deps, instance, operatorVersion, change);
  } catch (error) {
    if (error instanceof ConflictError) return true;
    if (!(error instanceof TerminalError || error instanceof BlockedError)) throw error;
    refuse(deps, instance, change, messageOf(error));
    return false;
  }
}

interface Change {
  readonly input: WatchedInput;
  readonly fingerprint: string;
}

interface Seen {
  readonly instance: Instance;
  readonly operatorVersion: OperatorVersion;
  readonly seen: SeenInputs;
}

async function firstChange(
  deps: ReconcilerDeps,
  { instance, operatorVersion, seen }: Seen,
): Promise<Change | undefined> {
  for (const task of operatorVersion.spec?.tasks ?? []) {
    const own = watchedInputs(operatorVersion, task).filter(({ key }) => Object.hasOwn(seen, key));
    const needed = own.length === 0 ? undefined : neededInputs(operatorVersion, task);
    if (needed === undefined) continue;
    try {
      const { inputs, waits } = await readLiveInputs(needed, { ...deps, instance, operatorVersion });
      if (waits.length > 0) continue;
      const now = fingerprintsOf(task, { instance, operatorVersion, live: inputs }, deps.fingerprints);
      const input = own.find(({ key }) => isOther(deps, seen[key] ?? '', now[key] ?? ''));
      if (input !== undefined) return { input, fingerprint: now[input.key] ?? '' };
    } catch (error) {
      // What cannot be read, or rendered, starts nothing; the next run says so.
      if (!(error instanceof TerminalError)) throw error;
    }
  }
  return undefined;
}

/** A fingerprint that was made with another key says nothing. */
function isOther({ fingerprints }: ReconcilerDeps, was: string, is: string): boolean {
  return was !== is && fingerprints.isComparable(was);
}

async function start(
  deps: ReconcilerDeps,
  instance: Instance,
  operatorVersion: OperatorVersion,
  change: Change,
): Promise<boolean> {
  const { trigger: plan, key, words } = change.input;
  const nowMs = deps.clock.now();
  const preview = await previewChange(deps.api, instance, operatorVersion, { plan, nowMs });
  const refusal = whyRefused({ plan }, preview);
  if (refusal !== undefined) {
    refuse(deps, instance, change, refusal);
    return false;
  }
  const after = actedUpon(instance)?.uid ?? '';
  const uid = derivedUid('bravo.kudo.dev/object', [instance.metadata.uid, after, key, change.fingerprint].join('\n'));
  const reason = `${words.charAt(0).toUpperCase()}${words.slice(1)} has changed`;
  const seen = formatSeenInputs(operatorVersion, seenInputs(instance), { [key]: change.fingerprint });
  const slot = claimText(uid, 'Object', deps.fingerprints);
  await deps.api.patch({ ...INSTANCES, namespace: namespaceOf(instance), name: nameOf(instance) }, 'merge', {
    metadata: {
      resourceVersion: instance.metadata.resourceVersion ?? '',
      annotations: {
        ...requestAnnotations(plan, { reason, slot }),
        // Acted upon from now on, so that a plan that fails is not started again and again.
        ...(seen === undefined ? {} : { [SEEN_INPUTS_ANNOTATION]: seen }),
      },
    },
    spec: { planExecution: { planName: plan, uid, status: null } },
  });
  deps.log.info('plan.object-changed', { instance: keyOf(instance), plan, object: key });
  return true;
}

/** Once for each change. */
function refuse(deps: ReconcilerDeps, instance: Instance, { input, fingerprint }: Change, why: string): void {
  const message = `Plan ${input.trigger} was not started although ${input.words} has changed. ${why}`;
  deps.events.recordOnce(instance, `${input.key} ${fingerprint}`, { type: 'Warning', reason: 'StartRefused', message });
}
