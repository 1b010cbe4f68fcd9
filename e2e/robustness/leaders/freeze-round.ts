import { INSTANCES } from '@/lib/kudo/crds';
import { actedUpon, hasUnseenChange } from '@/lib/kudo/plan/acted-upon';
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

/** The life that every round plays: installed, then edited twice. */
const VALUES = ['two', 'three'] as const;

export interface FreezeReference {
  readonly end: NamespaceState;
  readonly volatile: ReadonlySet<string>;
  readonly witness: Witness;
  /** Writes that one controller sends for the whole life, events left out. */
  readonly writes: number;
}

/**
 * An edit while nobody answers the webhook is a write of its own, and the start of its plan another: with the webhook they are one.
 * CrashReference: 1 to create and start, then 1 for each end and 1 for each edit, 6 in all.
 */
const COUNTED = /Instance\/app#0\.metadata\.generation /;

/**
 * What a run remembers is made by a create, which no version can guard: it may come late, means nothing to other runs, and goes
 * within five minutes (server/controller/run-sweeper).
 */
const RUN_MEMORY = /^I2: Secret\/app\.bravo-run#0\./;
const makesRunMemory = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path.endsWith('/secrets');

/**
 * The Secret of a run that is over goes by whoever comes first: the woken one, or the sweep of the new leader. The delete names
 * the version that it knows, so what a later run has stored there stays (server/runs/run-memory.test.ts).
 */
const removesRunMemory = ({ method, path }: { method: string; path: string }) =>
  method === 'DELETE' && path.endsWith('.bravo-run');

/** The problem of a round that did without the write that was to be frozen: it says nothing. */
export const NEVER_CAME = 'the write never came';

/** Which write the leader is frozen in: the request itself waits in the network until it is woken. */
export interface Freeze {
  readonly isAt: (write: ProxiedRequest, nth: number) => boolean;
}

/** A life that nobody disturbs, twice: what differs differs by nature. */
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
 * The leader is frozen with SIGSTOP while one of its writes is on its way; the other one takes over and finishes, and a later
 * edit too. Then the first is woken and its write arrives. What it does from then on must have no effect.
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
  /** It is held still until it is woken here, whoever else wakes the processes of this machine. */
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
    await setup.until('somebody leads', () => setup.leader() !== undefined);
    for (const contender of setup.contenders) this.listen(contender);
    try {
      await createInstance(api, this.namespace, 'app', version, {});
      await this.rest(witness, 'install');
      for (const value of VALUES) {
        await patchInstance(api, this.namespace, 'app', { parameters: { VALUE: value } });
        await this.rest(witness, value);
      }
      await this.thaw(witness);
    } finally {
      // A round that is cut off leaves nobody frozen behind.
      this.letGo();
      for (const { proxy } of setup.contenders) proxy.decide = () => PASS;
      witness.stop();
    }
    const end = namespaceState(sandbox.api, this.namespace);
    await api.delete({ group: '', version: 'v1', resource: 'namespaces', name: this.namespace });
    await setup.until('the namespace is gone', () => this.instance() === undefined);
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

  /** Wakes the frozen one and looks at what its late writes did. */
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
    // A life can rest without the frozen write; the freeze is to outlast the lease all the same.
    await this.until('somebody else leads', () => setup.leader() !== undefined && setup.leader() !== frozen);
    this.isStill = false;
    this.wake();
    frozen.running.child.kill('SIGCONT');
    await this.until(
      'the woken controller notices that it lost the lease',
      () => frozen.said('lease.lost') > this.lostBefore,
    );
    await this.quiet(witness);
    frozen.proxy.answered = () => undefined;
    for (const effect of effects) this.problems.push(`C08: a late write had an effect: ${effect}`);
  }

  private async rest(witness: Witness, what: string): Promise<void> {
    await this.until(`it rests after ${what}`, () => isAtRest(this.instance()));
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
