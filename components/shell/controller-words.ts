import { parseTime } from '@/lib/clock/clock';
import { getAt, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { ControllerWord } from '@/lib/live/frames';

/** What is said above every page of the controller, when it is not this console's own that works. */
export interface ControllerMessage {
  readonly tone: 'wait' | 'idle';
  readonly title: string;
  readonly detail: string;
}

/** A holder that has not renewed for this many of its lease's durations is taken for gone. */
const GONE_AFTER_DURATIONS = 2;

/** Who holds a Lease now; undefined when nobody does, or the holder has stopped renewing. */
export function leaseHolder(lease: KubeObject | undefined, nowMs: number): string | undefined {
  const holder = stringAt(lease, 'spec', 'holderIdentity') ?? '';
  const renewedMs = parseTime(stringAt(lease, 'spec', 'renewTime'));
  if (lease === undefined || holder === '' || renewedMs === undefined) return undefined;
  const durationMs = (numberAt(getAt(lease, 'spec'), 'leaseDurationSeconds') ?? 15) * 1_000;
  return nowMs - renewedMs > GONE_AFTER_DURATIONS * durationMs ? undefined : holder;
}

const FORMER_MANAGER: ControllerMessage = {
  tone: 'wait',
  title: "KUDO's own manager still works",
  detail:
    'Two must not run the same plans, so this controller waits. Find it with kubectl get statefulsets -A -l app=kudo-manager and scale it to 0; plans go on from where it stopped.',
};

const LEASE_FORBIDDEN: ControllerMessage = {
  tone: 'wait',
  title: 'The controller may not use its lease',
  detail:
    'No plan runs. Allow it to get, create and update the Lease bravo-controller in its namespace; /api/ready says what the API server refused.',
};

/** The message when the lease cannot be read: nothing is claimed of other controllers. */
export function unseenLeaseMessage(state: ControllerWord, why: 'forbidden' | 'failed'): ControllerMessage | undefined {
  if (state === 'running') return undefined;
  if (state === 'yields') return FORMER_MANAGER;
  if (state === 'forbidden') return LEASE_FORBIDDEN;
  const lease = 'the lease bravo-controller in namespace default';
  return {
    tone: 'idle',
    title: 'This console runs no controller',
    detail: `Whether another one works is not known: ${
      why === 'forbidden' ? `you may not read ${lease}` : `${lease} cannot be read now`
    }.`,
  };
}

/** The message for a state of this console's controller and whoever holds the lease; undefined when all is as usual. */
export function controllerMessage(state: ControllerWord, holder: string | undefined): ControllerMessage | undefined {
  if (state === 'running') return undefined;
  if (state === 'yields') return FORMER_MANAGER;
  if (holder !== undefined) {
    return {
      tone: 'idle',
      title: 'This console runs no controller',
      detail: `Another one works: ${holder} holds the lease bravo-controller and runs the plans.`,
    };
  }
  if (state === 'forbidden') return LEASE_FORBIDDEN;
  if (state === 'failed') {
    return { tone: 'wait', title: 'The controller ended', detail: 'It is started again; plans wait until it is back.' };
  }
  if (state === 'standby') {
    return {
      tone: 'wait',
      title: 'The controller waits',
      detail: 'It takes the lease bravo-controller as soon as it may.',
    };
  }
  return {
    tone: 'wait',
    title: 'No controller works here',
    detail:
      'Edits are stored, but no plan runs until one works: start Bravo with BRAVO_CONTROLLER=on, or run bravo controller.',
  };
}
