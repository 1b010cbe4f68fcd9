import type { KubeObject } from '@/lib/kube/object';
import type { OperatorVersion } from '@/lib/kudo/types';
import type { Cache } from '@/server/kube/cache';
import { isOlder } from '@/server/kube/older-version';

/** Namespace and name of an OperatorVersion. */
interface VersionPlace {
  readonly namespace: string;
  readonly name: string;
}

interface BegunRead {
  /** Which read of this process it is, from 1. */
  readonly number: number;
  readonly result: Promise<OperatorVersion | undefined>;
}

/** A moment in the order of reads: how many had begun. */
export type ReadMoment = number;

/**
 * OperatorVersions that are not older than what starts a plan: who edits a template and then starts a plan must not get the old
 * one, however late the watch is. A read proves that when it began after the edit of the Instance had arrived here. So one read
 * serves every Instance that was waiting for its reconcile then: those that ask while it is in flight take its answer, and
 * later ones the watched copy, when that is at least as new as the answer was.
 */
export class VersionReads {
  private begun = 0;
  /** Of each watched copy of an Instance that no reconcile has looked at yet. */
  private readonly arrivals = new WeakMap<KubeObject, ReadMoment>();
  private readonly inFlight = new Map<string, BegunRead>();
  /** What the last read of each OperatorVersion answered, without its contents. */
  private readonly answers = new Map<string, { readonly number: number; readonly answer: KubeObject }>();

  /** The first listener of the Instances' cache, so that an Instance has arrived before anybody acts upon it. */
  constructor(
    instances: Pick<Cache, 'onChange'>,
    private readonly operatorVersions: Pick<Cache, 'get'>,
  ) {
    instances.onChange(({ object }) => this.arrivals.set(object, this.begun));
  }

  /** The present moment. */
  get now(): ReadMoment {
    return this.begun;
  }

  /**
   * When a watched copy of an Instance arrived, for its first reconcile; now for a later one, which something else has caused, and
   * for what was not watched.
   */
  takeArrival(instance: KubeObject): ReadMoment {
    const arrival = this.arrivals.get(instance);
    this.arrivals.delete(instance);
    return arrival ?? this.begun;
  }

  /**
   * An OperatorVersion as it was stored at some time since that moment; undefined when it did not exist.
   *
   * @param read reads the API server
   */
  async current(
    { namespace, name }: VersionPlace,
    since: ReadMoment,
    read: () => Promise<OperatorVersion | undefined>,
  ): Promise<OperatorVersion | undefined> {
    const key = `${namespace}/${name}`;
    const flying = this.inFlight.get(key);
    if (flying !== undefined && flying.number > since) return flying.result;
    const known = this.answers.get(key);
    const watched = this.operatorVersions.get(namespace, name);
    if (known !== undefined && known.number > since && isAtLeast(watched, known.answer)) {
      return watched as OperatorVersion;
    }
    return this.begin(key, read);
  }

  private begin(key: string, read: () => Promise<OperatorVersion | undefined>): Promise<OperatorVersion | undefined> {
    this.begun += 1;
    const number = this.begun;
    const result = read().then((answer) => {
      this.note(key, number, answer);
      return answer;
    });
    const begun = { number, result };
    this.inFlight.set(key, begun);
    const end = () => {
      if (this.inFlight.get(key) === begun) this.inFlight.delete(key);
    };
    result.then(end, end);
    return result;
  }

  private note(key: string, number: number, answer: OperatorVersion | undefined): void {
    if ((this.answers.get(key)?.number ?? 0) > number) return;
    if (answer === undefined) {
      this.answers.delete(key);
      return;
    }
    const { apiVersion, kind, metadata } = answer;
    this.answers.set(key, { number, answer: { apiVersion, kind, metadata } });
  }
}

/** True when the watched copy is the object that was read, as it was then or later. */
function isAtLeast(watched: KubeObject | undefined, answer: KubeObject): watched is KubeObject {
  if (watched === undefined || watched.metadata.uid !== answer.metadata.uid) return false;
  return watched.metadata.resourceVersion === answer.metadata.resourceVersion || isOlder(answer, watched);
}
