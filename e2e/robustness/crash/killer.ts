import { PASS, type ProxiedRequest, type ProxyFault } from '../proxy/fault';
import type { CrashSetup } from './crash-setup';
import { type CrashPoint, isLease, isWrite, type KillTime, writeName } from './writes';

/**
 * Uses the proxy during one run: records every write, and kills the controller at the given points, at most one after each action. The
 * next controller starts at once.
 */
export class Killer {
  /** The writes that followed each action, named, in order. */
  readonly writes: string[][] = [];
  /** Points whose action came, and those of them at which the controller was killed. */
  readonly tried = new Set<CrashPoint>();
  readonly reached = new Set<CrashPoint>();
  /** The last request or start of the controller; monotonic time. */
  lastCallMs = performance.now();
  /** The time of a kill at a time has come. */
  killedAtTime = false;
  private counts = new Map<string, number>();
  private current: CrashPoint | undefined;
  private armed: CrashPoint | undefined;
  private isOfTheDead = false;
  private restarting: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly setup: CrashSetup,
    private readonly namespace: string,
    private readonly crash: readonly CrashPoint[] | KillTime,
  ) {}

  start(): void {
    this.setup.proxy.decide = (request) => this.decide(request);
    const { crash } = this;
    if (!('afterMs' in crash)) return;
    this.timer = setTimeout(() => {
      this.killedAtTime = true;
      this.kill();
    }, crash.afterMs);
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    await this.restarting?.catch(() => undefined);
    this.setup.proxy.decide = () => PASS;
  }

  /** The next action starts. A crash that still waits for the controller's next request comes before the crash of this action. */
  actionBegins(action: number): void {
    this.writes[action] = [];
    this.counts = new Map();
    this.current = undefined;
    this.lastCallMs = performance.now();
    if (this.armed !== undefined || 'afterMs' in this.crash) return;
    this.current = this.crash.find((point) => point.action === action);
    if (this.current !== undefined) this.tried.add(this.current);
  }

  /** Resolves when a controller runs; rejects when it could not be started. */
  async alive(): Promise<void> {
    await this.restarting;
  }

  /** Kills now when no request followed the answer of the last write. @returns false when no kill was waiting */
  killAtRest(): boolean {
    if (this.armed === undefined) return false;
    this.killAt(this.armed);
    return true;
  }

  private decide(request: ProxiedRequest): ProxyFault {
    if (this.isOfTheDead) return { do: 'hold' };
    const isOfWork = !request.isWatch && !isLease(request);
    if (isOfWork) this.lastCallMs = performance.now();
    if (this.armed !== undefined && isOfWork) {
      this.killAt(this.armed);
      return { do: 'hold' };
    }
    if (!isWrite(request)) return this.setup.disturb(request);
    const write = writeName(request, this.namespace);
    const nth = (this.counts.get(write) ?? 0) + 1;
    this.counts.set(write, nth);
    this.writes.at(-1)?.push(write);
    const { current } = this;
    if (current === undefined || current.write !== write || current.nth !== nth) return this.setup.disturb(request);
    this.current = undefined;
    return this.crashAt(current);
  }

  private crashAt(at: CrashPoint): ProxyFault {
    if (at.point === 'lost') return { do: 'lose', done: () => this.killAt(at) };
    if (at.point === 'answered') {
      return {
        do: 'pass',
        done: () => {
          this.armed = at;
        },
      };
    }
    this.killAt(at);
    return { do: 'hold' };
  }

  private killAt(point: CrashPoint): void {
    this.armed = undefined;
    this.reached.add(point);
    this.kill();
  }

  private kill(): void {
    this.isOfTheDead = true;
    const { controllers, proxy } = this.setup;
    controllers.kill();
    this.restarting = (async () => {
      await controllers.acting.exited();
      proxy.sever();
      this.isOfTheDead = false;
      await controllers.startWhole();
      this.lastCallMs = performance.now();
    })();
    this.restarting.catch(() => undefined);
  }
}
