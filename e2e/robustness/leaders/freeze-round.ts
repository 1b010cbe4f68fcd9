import { INSTANCES } from '@/lib/kudo/crds/crds';
import { hasUnseenChange } from '@/lib/kudo/plan/acted-upon';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import { isTerminal } from '@/lib/kudo/plan/status';
import type { Instance } from '@/lib/kudo/types';
import { createInstance, patchInstance } from '@/test/engine/https-engine';
import { undisturbed } from '../crash/disturbance';
import { type NamespaceState, namespaceState, stateDifferences, volatilePaths } from '../crash/end-state';
import type { Subject } from '../crash/subjects';
import { Witness } from '../crash/witness';
import { isWrite } from '../crash/writes';
import { PASS, type ProxiedRequest } from '../proxy/fault';
import type { Contender, TwoControllers } from './two-controllers';

/** What every round plays: an install and two edits. */
const VALUES = ['two', 'three'] as const;

export interface FreezeReference {
  readonly end: NamespaceState;
  readonly volatile: ReadonlySet<string>;
  readonly witness: Witness;
  /** Writes that one controller sends for all of it, without events. */
  readonly writes: number;
}

/**
 * When the webhook does not answer, an edit and the start of its plan are two writes; with the webhook they are one.
 * The reference has 6: 1 to create and start, then 1 for each end of a plan and 1 for each edit.
 */
const COUNTED = /Instance\/app#0\.metadata\.generation /;

/**
 * The Secret of a run is created, and no resourceVersion can guard a create: it may come late, has no effect on other runs, and is
 * deleted within five minutes (server/controller/run-sweeper.ts).
 */
const RUN_MEMORY = /^I2: Secret\/app\.bravo-run#0\./;
const makesRunMemory = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path.endsWith('/secrets');

/**
 * The resumed controller or the sweep of the new leader, whichever comes first, deletes the Secret of a finished run. The delete names
 * the resourceVersion that it knows, so the Secret of a later run stays (server/runs/run-memory.test.ts).
 */
const removesRunMemory = ({ method, path }: { method: string; path: string }) =>
  method === 'DELETE' && path.endsWith('.bravo-run');

/** The problem of a round in which the chosen write did not happen: the round proves nothing. */
export const NEVER_CAME = 'the write never came';

/** The write during which the leader is suspended: the request waits in the network until the leader is resumed. */
export interface Freeze {
  readonly isAt: (write: ProxiedRequest, nth: number) => boolean;
}

/** Two undisturbed runs: what differs between them differs in every run. */
export async function makeFreezeReference(setup: TwoControllers, subject: Subject): Promise<FreezeReference> {
  const play = () =>
    undisturbed(
      () => new Round(setup, subject).play(),
      () => undefined,
    );
  const first = await play();
  const second = await play();
  return {
    end: first.end,
    volatile: volatilePaths(first.end, second.end),
    witness: first.witness,
    writes: first.writes,
  };
}

/**
 * Suspends the leader with SIGSTOP while one of its writes is on its way; the other controller takes over, finishes the plan and
 * handles a later edit. Then the first one is resumed and its write arrives. Its late writes must have no effect.
 */
export async function freezeOnce(
  setup: TwoControllers,
  subject: Subject,
  reference: FreezeReference,
  freeze: Freeze,
): Promise<string[]> {
  const again = () =>
    console.log(`${subject.name}: played again, the server of the run itself was without a processor`);
  const play = () => new Round(setup, subject, freeze).play();
  const played = await undisturbed(play, again).catch((error: unknown) => String(error));
  if (typeof played === 'string') return [played];
  const { end, witness, problems } = played;
  return [
    ...problems,
    ...stateDifferences(reference.end, end, reference.volatile)
      .filter((each) => !COUNTED.test(each) && !RUN_MEMORY.test(each))
      .slice(0, 8),
    ...witness.differencesFrom(reference.witness),
  ];
}

class Round {
  private readonly problems: string[] = [];
  private namespace = '';
  private writes = 0;
  private lastCallMs = 0;
  private frozen: Contender | undefined;
  /** Keeps it suspended until it is resumed here, even when something else resumes the processes of this machine. */
  private isStill = false;
  private lostBefore = 0;
  private wake: () => void = () => undefined;

  constructor(
    private readonly setup: TwoControllers,
    private readonly subject: Subject,
    private readonly freeze?: Freeze,
  ) {}

  async play() {
    const { setup, subject } = this;
    const { api, sandbox } = setup.engine;
    this.namespace = await setup.freshNamespace(subject.name);
    const witness = new Witness(sandbox.api, this.namespace);
    const [version = ''] = await subject.prepare(api, this.namespace);
    await setup.until('a controller leads', () => setup.leader() !== undefined);
    for (const contender of setup.contenders) this.listen(contender);
    try {
      await createInstance(api, this.namespace, 'app', version);
      await this.rest(witness, 'install');
      for (const value of VALUES) {
        await patchInstance(api, this.namespace, 'app', { parameters: { VALUE: value } });
        await this.rest(witness, value);
      }
      await this.thaw(witness);
    } finally {
      // A round that is interrupted leaves no process suspended.
      this.letGo();
      for (const { proxy } of setup.contenders) proxy.decide = () => PASS;
      witness.stop();
    }
    const end = namespaceState(sandbox.api, this.namespace);
    await api.delete({ group: '', version: 'v1', resource: 'namespaces', name: this.namespace });
    await setup.until('the namespace is deleted', () => this.instance() === undefined);
    return { end, witness, writes: this.writes, problems: this.problems };
  }

  private letGo(): void {
    if (!this.isStill) return;
    this.isStill = false;
    this.wake();
    this.frozen?.running.child.kill('SIGCONT');
  }

  private listen(contender: Contender): void {
    contender.proxy.decide = (request) => {
      const isOurs = request.path.includes(`/namespaces/${this.namespace}/`);
      if (!isOurs) return PASS;
      this.lastCallMs = performance.now();
      if (!isWrite(request) || request.path.endsWith('/events')) return PASS;
      this.writes += 1;
      if (this.frozen !== undefined || this.freeze?.isAt(request, this.writes) !== true) return PASS;
      this.frozen = contender;
      this.lostBefore = contender.said('lease.lost');
      this.isStill = true;
      this.holdStill();
      return { do: 'delay', until: new Promise((resolve) => (this.wake = resolve)) };
    };
  }

  /** Resumes the suspended controller and checks the effect of its late writes. */
  private async thaw(witness: Witness): Promise<void> {
    const { frozen, setup } = this;
    if (frozen === undefined) {
      if (this.freeze !== undefined) this.problems.push(NEVER_CAME);
      return;
    }
    const effects: string[] = [];
    frozen.proxy.answered = ({ method, path }, status) => {
      if (makesRunMemory({ method, path }) || removesRunMemory({ method, path })) return;
      if (method !== 'GET' && status < 300 && !path.endsWith('/events') && !path.includes('/leases'))
        effects.push(`${method} ${path} ${status}`);
    };
    // The Instance may become idle without the suspended write; the suspension must still outlast the lease.
    await this.until('the other controller leads', () => setup.leader() !== undefined && setup.leader() !== frozen);
    this.isStill = false;
    this.wake();
    frozen.running.child.kill('SIGCONT');
    await this.until(
      'the resumed controller notices that it lost the lease',
      () => frozen.said('lease.lost') > this.lostBefore,
    );
    await this.quiet(witness);
    frozen.proxy.answered = () => undefined;
    for (const effect of effects) this.problems.push(`C08: a late write had an effect: ${effect}`);
  }

  private async rest(witness: Witness, what: string): Promise<void> {
    await this.until(`the Instance is idle after ${what}`, () => isAtRest(this.instance()));
    await this.quiet(witness);
  }

  private async quiet(witness: Witness): Promise<void> {
    const quietMs = 300;
    await this.until(
      'nothing moves',
      () => performance.now() - Math.max(witness.lastChangeMs, this.lastCallMs) > quietMs,
    );
  }

  private holdStill(): void {
    if (this.isStill) this.frozen?.running.child.kill('SIGSTOP');
  }

  private async until(what: string, isSo: () => boolean): Promise<void> {
    await this.setup.until(what, () => {
      this.holdStill();
      return isSo();
    });
  }

  private instance(): Instance | undefined {
    const key = { ...INSTANCES, namespace: this.namespace, name: 'app' };
    return this.setup.engine.sandbox.api.get(key) as Instance | undefined;
  }
}

function isAtRest(instance: Instance | undefined): boolean {
  if (instance === undefined || (instance.spec?.planExecution?.planName ?? '') !== '') return false;
  if (actedUpon(instance) === undefined || hasUnseenChange(instance)) return false;
  const statuses = Object.values(instance.status?.planStatus ?? {});
  return statuses.length > 0 && statuses.every(({ status }) => status === 'NEVER_RUN' || isTerminal(status));
}
