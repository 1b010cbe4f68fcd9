import type { Clock, Timer } from '@/lib/clock/clock';
import { accessTo } from '@/lib/kube/access';
import { type AccessRules, isAllowedByRules } from '@/lib/kube/access-rules';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { Reviewer } from '@/server/auth/access-reviews';
import type { ReadRights, RightsOf } from '@/server/live/read-rights';
import { askIsAllowed, askRules } from './ask-rules';
import { Review, ReviewQueue } from './review-queue';

/** Answers that arrive together are announced together. */
const ANNOUNCE_MS = 20;

/** Who watches a stream reads what `list` gives at any time: `watch` shows nothing more. */
const LIST = ['list'];
/** One object may also be read by its name. */
const READ_ONE = ['get', 'list'];

/** A person who signed in: a name of their own in caches, the name for messages, and the API with their authority. */
export interface Person extends Reviewer {
  readonly user: { readonly name: string };
}

export interface PersonRightsOptions {
  readonly clock: Clock;
  /** How long an answer is used before it is asked for again, in ms. */
  readonly refreshMs: () => number;
}

/**
 * What a person may read, by one SelfSubjectRulesReview a namespace and one SelfSubjectAccessReview a resource of the whole cluster, each
 * asked with the person's own authority when somebody needs it, and again every `refreshMs` as long as somebody does.
 *
 * States: idle (nobody follows, nothing is known) ⇄ followed. The last follower takes every answer with it.
 */
export class PersonRights implements ReadRights {
  private readonly clusterWide = new Map<string, Review<boolean>>();
  private readonly namespaces = new Map<string, Review<AccessRules>>();
  /** By namespace and question: asked only where the rules of a namespace are incomplete. */
  private readonly single = new Map<string, Review<boolean>>();
  private readonly listeners = new Set<() => void>();
  private queue: ReviewQueue;
  private refreshTimer: Timer | undefined;
  private announceTimer: Timer | undefined;

  /** @param person as of their last request: their credentials are renewed */
  constructor(
    public person: Person,
    private readonly options: PersonRightsOptions,
  ) {
    this.queue = this.newQueue();
  }

  get user(): string {
    return this.person.user.name;
  }

  mayReadAll(type: RightsOf): boolean | undefined {
    const { clock } = this.options;
    return this.answer(this.clusterWide, keyOf(type), () => askIsAllowed(this.person, clock, accessTo('list', type)));
  }

  mayRead(type: RightsOf, namespace: string, name?: string): boolean | undefined {
    return this.isAllowed(name === undefined ? LIST : READ_ONE, type, namespace, name);
  }

  maySee(namespace: string): boolean | undefined {
    const answers = [
      this.isAllowed(READ_ONE, INSTANCES, namespace),
      this.isAllowed(['get'], { group: '', resource: 'namespaces' }, namespace, namespace),
    ];
    if (answers.includes(true)) return true;
    return answers.includes(undefined) ? undefined : false;
  }

  follow(listener: () => void): () => void {
    if (this.listeners.size === 0) this.refreshLater();
    this.listeners.add(listener);
    return () => {
      if (this.listeners.delete(listener) && this.listeners.size === 0) this.forget();
    };
  }

  /** Asks again at once: for one namespace, or for everything. */
  invalidate(namespace?: string): void {
    if (namespace !== undefined) {
      const review = this.namespaces.get(namespace);
      if (review !== undefined) this.queue.add(review);
      for (const [key, each] of this.single) if (key.startsWith(`${namespace}\n`)) this.queue.add(each);
      return;
    }
    for (const reviews of [this.clusterWide, this.namespaces, this.single]) {
      for (const review of reviews.values()) this.queue.add(review);
    }
  }

  private isAllowed(verbs: readonly string[], type: RightsOf, namespace: string, name?: string): boolean | undefined {
    const { clock } = this.options;
    const known = this.answer(this.namespaces, namespace, () => askRules(this.person, clock, namespace));
    if (known === undefined) return undefined;
    if (isAllowedByRules(known.rules, { verbs, ...type, name })) return true;
    if (!known.incomplete) return false;
    const answers = verbs.map((verb) =>
      this.answer(this.single, `${namespace}\n${verb} ${keyOf(type)}`, () =>
        askIsAllowed(this.person, clock, accessTo(verb, type, namespace)),
      ),
    );
    if (answers.includes(true)) return true;
    return answers.includes(undefined) ? undefined : false;
  }

  private answer<T>(reviews: Map<string, Review<T>>, key: string, ask: () => Promise<T>): T | undefined {
    let review = reviews.get(key);
    if (review === undefined) {
      review = new Review(ask);
      reviews.set(key, review);
      this.queue.add(review);
    }
    review.isUsed = true;
    return review.value;
  }

  private refreshLater(): void {
    this.refreshTimer?.cancel();
    this.refreshTimer = this.options.clock.after(this.options.refreshMs(), () => this.refresh());
  }

  /** Followers look again at what they need; the rest is forgotten, and what is needed is asked for again. */
  private refresh(): void {
    for (const review of this.all()) review.isUsed = false;
    this.announce();
    for (const reviews of [this.clusterWide, this.namespaces, this.single]) {
      for (const [key, review] of reviews) {
        if (review.isUsed) this.queue.add(review);
        else {
          this.queue.remove(review);
          reviews.delete(key);
        }
      }
    }
    this.refreshLater();
  }

  private all(): Review<unknown>[] {
    return [...this.clusterWide.values(), ...this.namespaces.values(), ...this.single.values()];
  }

  private announce(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private announceLater(): void {
    this.announceTimer ??= this.options.clock.after(ANNOUNCE_MS, () => {
      this.announceTimer = undefined;
      this.announce();
    });
  }

  private forget(): void {
    this.refreshTimer?.cancel();
    this.announceTimer?.cancel();
    this.announceTimer = undefined;
    for (const review of this.all()) this.queue.remove(review);
    this.queue.close();
    this.queue = this.newQueue();
    for (const reviews of [this.clusterWide, this.namespaces, this.single]) reviews.clear();
  }

  private newQueue(): ReviewQueue {
    return new ReviewQueue(this.options.clock, () => this.announceLater());
  }
}

function keyOf({ group, resource }: RightsOf): string {
  return `${group}/${resource}`;
}
