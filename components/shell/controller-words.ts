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

/** What is known of the lease of the controller: who holds it, that nobody does, or why it is not known. */
export type LeaseKnowledge =
  | { readonly kind: 'held'; readonly holder: string }
  | { readonly kind: 'free' }
  | { readonly kind: 'unknown'; readonly why: 'forbidden' | 'failed' | 'not live' };

/** A holder that has not renewed for this many of its lease's durations is taken for gone. */
const GONE_AFTER_DURATIONS = 2;

/** Who holds a Lease at a time; a holder that has stopped renewing holds it no longer. */
export function leaseKnowledge(lease: KubeObject | undefined, nowMs: number): LeaseKnowledge {
  const holder = stringAt(lease, 'spec', 'holderIdentity') ?? '';
  const renewedMs = parseTime(stringAt(lease, 'spec', 'renewTime'));
  if (lease === undefined || holder === '' || renewedMs === undefined) return { kind: 'free' };
  const durationMs = (numberAt(getAt(lease, 'spec'), 'leaseDurationSeconds') ?? 15) * 1_000;
  return nowMs - renewedMs > GONE_AFTER_DURATIONS * durationMs ? { kind: 'free' } : { kind: 'held', holder };
}

const KUDO_MANAGER_RUNS: ControllerMessage = {
  tone: 'wait',
  title: "KUDO's manager is running",
  detail:
    "Two managers must not run the same plans, so Bravo's controller waits. Find KUDO's manager with kubectl get statefulsets -A -l app=kudo-manager and scale it to 0; plans continue where it stopped.",
};

const LEASE_FORBIDDEN: ControllerMessage = {
  tone: 'wait',
  title: 'The controller may not use its lease',
  detail:
    'No plan runs. Allow the controller to get, create and update the Lease bravo-controller in its namespace; /api/ready shows what the API server refused.',
};

const NONE_HERE = 'This console does not run a controller';

const whyUnknown = {
  forbidden: 'you may not read the lease bravo-controller in namespace default',
  failed: 'the lease bravo-controller in namespace default cannot be read now',
  'not live': 'this page is not live',
} as const;

/** The message for a state of this console's controller and what is known of the lease; undefined when all is as usual. */
export function controllerMessage(state: ControllerWord, lease: LeaseKnowledge): ControllerMessage | undefined {
  if (state === 'running') return undefined;
  if (state === 'yields') return KUDO_MANAGER_RUNS;
  if (lease.kind === 'held') {
    const detail = `Another controller runs the plans: ${lease.holder} holds the lease bravo-controller.`;
    return { tone: 'idle', title: NONE_HERE, detail };
  }
  if (state === 'forbidden') return LEASE_FORBIDDEN;
  // Nothing is claimed of other controllers while it cannot be known.
  if (lease.kind === 'unknown') {
    const detail = `Whether another controller runs the plans is not known: ${whyUnknown[lease.why]}.`;
    return { tone: 'idle', title: NONE_HERE, detail };
  }
  return ownMessage[state];
}

const ownMessage: { readonly [state in 'failed' | 'forbidden' | 'standby' | 'off']: ControllerMessage } = {
  failed: {
    tone: 'wait',
    title: 'The controller stopped',
    detail: 'It is being restarted. Plans continue afterwards.',
  },
  forbidden: LEASE_FORBIDDEN,
  standby: {
    tone: 'wait',
    title: 'The controller is waiting',
    detail: 'It runs plans as soon as it holds the lease bravo-controller.',
  },
  off: {
    tone: 'wait',
    title: 'No controller is running',
    detail:
      'Changes are stored, but no plan runs. Run it here, with BRAVO_CONTROLLER=on, or in the cluster with bravo controller.',
  },
};
