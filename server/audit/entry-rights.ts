import type { AuditEntry } from '@/lib/audit/audit-entry';
import type { Clock } from '@/lib/clock/clock';
import { accessTo } from '@/lib/kube/access';
import { type AccessRules, isAllowedByRules } from '@/lib/kube/access-rules';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { PersonInCluster } from '@/server/auth/person-of-request';
import { askIsAllowed, askRules } from '@/server/rights/ask-rules';

/** Answers are believed for so long. */
const FRESH_MS = 30_000;
/** Persons whose answers are kept. */
const MOST_PERSONS = 500;
/** Namespaces and resources that are asked about for one list; entries of further ones are not shown. */
const MOST_QUESTIONS = 500;
/** Questions at a time. */
const PARALLEL = 8;

/** What a person may see of some entries. */
export interface VisibleEntries<E> {
  readonly entries: readonly E[];
  /** True when there were more namespaces than are asked about. */
  readonly isPartial: boolean;
}

interface Answers {
  readonly untilMs: number;
  readonly everywhere: Map<string, Promise<boolean>>;
  readonly rules: Map<string, Promise<AccessRules>>;
  readonly single: Map<string, Promise<boolean>>;
}

/**
 * Which entries a person may see: those of objects that they may read, as the API server says with the person's own authority, and
 * their own. What is in no namespace takes the right to list all Instances.
 */
export class EntryRights {
  private readonly known = new Map<string, Answers>();

  constructor(private readonly clock: Clock) {}

  /** @throws KubeError while the API server does not answer: what is not known is not shown */
  async visible<E extends AuditEntry>(entries: readonly E[], person: PersonInCluster): Promise<VisibleEntries<E>> {
    const answers = this.answersOf(person);
    const questions = new Map<string, AuditEntry>();
    const keys: (string | undefined)[] = [];
    let isPartial = false;
    for (const entry of entries) {
      const key = isOwn(entry, person) ? undefined : questionKey(entry);
      keys.push(key);
      if (key === undefined || questions.has(key)) continue;
      if (questions.size < MOST_QUESTIONS) questions.set(key, entry);
      else isPartial = true;
    }
    const allowed = await this.answersTo(questions, person, answers);
    const maySee = (entry: E, index: number) => {
      const key = keys[index];
      return key === undefined || allowed.get(key)?.(entry) === true;
    };
    return { entries: entries.filter(maySee), isPartial };
  }

  private async answersTo(questions: ReadonlyMap<string, AuditEntry>, person: PersonInCluster, answers: Answers) {
    const allowed = new Map<string, (entry: AuditEntry) => boolean>();
    const queue = [...questions];
    const work = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        allowed.set(next[0], await this.judge(next[1], person, answers));
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    return allowed;
  }

  private async judge(
    { object }: AuditEntry,
    person: PersonInCluster,
    answers: Answers,
  ): Promise<(entry: AuditEntry) => boolean> {
    const { group, resource, namespace } = object;
    const mayAll = (type: { group: string; resource: string }) =>
      once(answers.everywhere, `${type.group}/${type.resource}`, () =>
        askIsAllowed(person, this.clock, accessTo('list', type)),
      );
    if (namespace === '') {
      const isAllowed = (await mayAll(INSTANCES)) && (object.version === '' || (await mayAll({ group, resource })));
      return () => isAllowed;
    }
    if (await mayAll({ group, resource })) return () => true;
    const { rules, incomplete } = await once(answers.rules, namespace, () => askRules(person, this.clock, namespace));
    const mayList =
      incomplete &&
      (await once(answers.single, `${namespace}\n${group}/${resource}`, () =>
        askIsAllowed(person, this.clock, accessTo('list', { group, resource }, namespace)),
      ));
    const wanted = { verbs: ['get', 'list'], group, resource };
    if (mayList || isAllowedByRules(rules, wanted)) return () => true;
    return ({ object: { name } }) => name !== '' && isAllowedByRules(rules, { ...wanted, name });
  }

  private answersOf({ identity }: PersonInCluster): Answers {
    const nowMs = this.clock.monotonic();
    const known = this.known.get(identity);
    if (known !== undefined && nowMs < known.untilMs) return known;
    if (this.known.size >= MOST_PERSONS) this.known.clear();
    const fresh = { untilMs: nowMs + FRESH_MS, everywhere: new Map(), rules: new Map(), single: new Map() };
    this.known.set(identity, fresh);
    return fresh;
  }
}

function isOwn({ person }: AuditEntry, { user }: PersonInCluster): boolean {
  return person.name !== '' && person.name === user.name;
}

function questionKey({ object: { group, version, resource, namespace } }: AuditEntry): string {
  return `${version === '' ? '' : group}\n${resource}\n${namespace}`;
}

/** An answer that is asked for once; one that failed is asked for again. */
function once<T>(answers: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const known = answers.get(key);
  if (known !== undefined) return known;
  const asked = ask();
  answers.set(key, asked);
  asked.catch(() => answers.delete(key));
  return asked;
}
