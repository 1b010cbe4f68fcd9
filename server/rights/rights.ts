import type { Clock } from '@/lib/clock/clock';
import type { Random } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import type { RowOrder } from '@/server/live/feed';
import type { LiveHub } from '@/server/live/hub';
import { PersonHub } from '@/server/live/person-hub';
import type { FeedSource } from '@/server/live/seed';
import { type Person, PersonRights } from './person-rights';
import { RbacChanges } from './rbac-changes';

/** While roles and bindings are watched, what no watch shows (another authorizer, a group) is noticed within this time. */
const REFRESH_MS = 60_000;
/** Where the console's account may not watch them, a right that is granted or withdrawn takes effect within 30 s. */
const REFRESH_UNWATCHED_MS = 25_000;
/** Persons without an open page are looked for so often. */
const SWEEP_MS = 30_000;

export interface RightsOptions {
  /** The API with the console's own authority. */
  readonly api: Api;
  /** What the console's own account reads. */
  readonly hub: LiveHub;
  /** A hub of the same kind with another authority. */
  readonly openHub: (api: Api) => LiveHub;
  readonly clock: Clock;
  readonly random: Random;
  readonly order?: RowOrder;
}

interface Known {
  readonly rights: PersonRights;
  readonly hub: PersonHub;
}

/**
 * What each person may read of what the console watches. The person of the kubeconfig has the console's own authority: nothing is
 * reviewed, and the shared hub is theirs.
 */
export class Rights {
  private readonly known = new Map<string, Known>();
  private readonly rbac: RbacChanges;
  private isSweeping = false;

  constructor(private readonly options: RightsOptions) {
    this.rbac = new RbacChanges(options.hub, options.clock, (namespace) => {
      for (const { rights } of this.known.values()) rights.invalidate(namespace);
    });
  }

  /** Where the pages and streams of a person read. */
  sourceOf(person: Person): FeedSource {
    if (person.api === this.options.api) return this.options.hub;
    const known = this.known.get(person.identity) ?? this.learn(person);
    known.rights.person = person;
    return known.hub;
  }

  /** Rights may have changed, or kinds: a person has just written roles or installed CRDs. */
  askAgain(): void {
    this.options.hub.askRefusedAgain();
    for (const { rights, hub } of this.known.values()) {
      rights.invalidate();
      hub.askRefusedAgain();
    }
  }

  close(): void {
    for (const { hub } of this.known.values()) hub.close();
    this.known.clear();
    this.rbac.stop();
  }

  private learn(person: Person): Known {
    const { clock, random, hub, openHub, order } = this.options;
    this.rbac.start();
    const refreshMs = () => (this.rbac.isWatched ? REFRESH_MS : REFRESH_UNWATCHED_MS);
    const rights = new PersonRights(person, { clock, refreshMs });
    const personHub = new PersonHub({
      rights,
      shared: hub,
      openPersonal: () => openHub(rights.person.api),
      clock,
      random,
      ...(order === undefined ? {} : { order }),
    });
    const known = { rights, hub: personHub };
    this.known.set(person.identity, known);
    this.sweepLater();
    return known;
  }

  private sweepLater(): void {
    if (this.isSweeping) return;
    this.isSweeping = true;
    this.options.clock.after(SWEEP_MS, () => {
      this.isSweeping = false;
      for (const [identity, { hub }] of [...this.known]) if (hub.isIdle) this.known.delete(identity);
      if (this.known.size === 0) this.rbac.stop();
      else this.sweepLater();
    });
  }
}
