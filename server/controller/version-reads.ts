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

/**
 * OperatorVersions that are not older than what starts a plan: who edits a template and then starts a plan must not get the old
 * one, however late the watch is. A read proves that when it began after the Instance, as the plan acts upon it, had arrived
 * here. So one read serves every Instance that was known before it: those that wait take its answer, and later ones the watched
 * copy, when that is at least as new as the answer was.
 */
export class VersionReads {
  private begun = 0;
  /** By the watched copy of an Instance: how many reads had begun when it arrived. */
  private readonly arrivals = new WeakMap<KubeObject, number>();
  private readonly inFlight = new Map<string, BegunRead>();
  /** What the last read of each OperatorVersion answered, without its contents. */
  private readonly answers = new Map<string, { readonly number: number; readonly answer: KubeObject }>();

  /** The first listener of the Instances' cache, so that an Instance has arrived before anybody acts upon it. */
  constructor(
    instances: Cache,
    private readonly operatorVersions: Cache,
  ) {
    instances.onChange(({ object }) => this.arrivals.set(object, this.begun));
  }

  /**
   * An OperatorVersion as it was stored at a moment after the Instance had arrived; undefined when it did not exist.
   *
   * @param instance the watched copy; another one counts as arrived now
   * @param read reads the API server
   */
  async current(
    { namespace, name }: VersionPlace,
    instance: KubeObject,
    read: () => Promise<OperatorVersion | undefined>,
  ): Promise<OperatorVersion | undefined> {
    const key = `${namespace}/${name}`;
    const arrivedAfter = this.arrivals.get(instance) ?? this.begun;
    const flying = this.inFlight.get(key);
    if (flying !== undefined && flying.number > arrivedAfter) return flying.result;
    const known = this.answers.get(key);
    const watched = this.operatorVersions.get(namespace, name);
    if (known !== undefined && known.number > arrivedAfter && isAtLeast(watched, known.answer)) {
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
