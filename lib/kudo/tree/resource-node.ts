import type { Health } from '@/lib/kube/health/verdict';
import type { Topic } from '@/lib/live/topic';
import { healthStatus } from '../view/health-status';
import { type StatusKey, statusWords } from '../view/status-words';
import type { AppliedBy } from './applied-by';

/**
 * A line of the tree. `missing` is an object of the inventory that does not exist, or that may not be read; `refused` says which
 * kinds of children may not be read.
 */
export interface ResourceNode {
  /** The same for the same object at each drawing. */
  readonly id: string;
  readonly sort: 'instance' | 'phase' | 'task' | 'others' | 'object' | 'missing' | 'refused';
  /** `Pod`, `Phase`, `Task`; empty for lines that are sentences. */
  readonly kind: string;
  readonly name: string;
  readonly fact: string;
  readonly status: StatusKey;
  /** What its own state means, in one line; empty when there is nothing to say. */
  readonly message: string;
  /** The deepest child that makes it worse, with its message: `Pod orders-2: ImagePullBackOff`. Empty when it is as its own. */
  readonly cause: string;
  readonly rank: Rank;
  /** Where the object is; absent for lines that are none. */
  readonly address?: Topic;
  readonly by?: AppliedBy;
  /** RFC 3339. */
  readonly createdAt?: string;
  /** What was changed outside of plans; absent when nothing was. */
  readonly drift?: string;
  readonly children: readonly ResourceNode[];
  /** Objects in it, with itself. */
  readonly objects: number;
  /** Objects in it that are not healthy, with itself. */
  readonly unhealthy: number;
}

/** How bad a state is: 0 is healthy. */
export type Rank = 0 | 1 | 2 | 3;

const RANKS: { readonly [state in Health['state']]: Rank } = { healthy: 0, unknown: 1, progressing: 2, failed: 3 };

export function rankOf({ state }: Health): Rank {
  return RANKS[state];
}

/** A line before its children are known. */
export type OwnNode = Pick<ResourceNode, 'id' | 'sort' | 'kind' | 'name'> &
  Partial<Pick<ResourceNode, 'fact' | 'status' | 'message' | 'rank' | 'address' | 'by' | 'createdAt' | 'drift'>>;

/**
 * A line with its children: its state is the worst of its own and of theirs, and names the cause.
 *
 * @param own with `rank` 0 and without a status for a group, which is as its children are
 */
export function resourceNode(own: OwnNode, children: readonly ResourceNode[]): ResourceNode {
  const { status = 'healthy', message = '', rank = 0, fact = '' } = own;
  const worst = children.length === 0 ? undefined : worstOf(own, children);
  const isWorse = worst !== undefined && worst.rank > rank;
  const isObject = own.sort === 'object' || own.sort === 'missing';
  const isUnread = own.sort === 'missing' && status === 'unknown';
  return {
    ...own,
    fact,
    message,
    status: isWorse ? worst.status : status,
    rank: isWorse ? worst.rank : rank,
    cause: worst === undefined ? '' : causeIn(worst),
    children,
    objects: sum(children, 'objects') + (isObject ? 1 : 0),
    unhealthy: sum(children, 'unhealthy') + (isObject && rank > 0 && !isUnread ? 1 : 0),
  };
}

/** What is wrong with a line, in one line; empty for a healthy one. */
export function whyOf({ message, cause, sort }: Pick<ResourceNode, 'message' | 'cause' | 'sort'>): string {
  if (sort === 'refused') return '';
  return [message, cause].filter((part) => part !== '').join(' · ');
}

/** The status of an object's own health. */
export function statusOfHealth(health: Health, isLeaving: boolean): StatusKey {
  return isLeaving ? 'deleting' : healthStatus[health.state];
}

/** A pod that failed does not count below a healthy controller, which has replaced it. */
function counts(own: OwnNode, child: ResourceNode): boolean {
  if (child.sort === 'refused') return false;
  return !(own.sort === 'object' && own.rank === 0 && child.kind === 'Pod' && child.status === 'FATAL_ERROR');
}

/** The first of the children that are worst; undefined when all that count are healthy. */
function worstOf(own: OwnNode, children: readonly ResourceNode[]): ResourceNode | undefined {
  let worst: ResourceNode | undefined;
  for (const child of children) {
    if (child.rank > (worst?.rank ?? 0) && counts(own, child)) worst = child;
  }
  return worst;
}

function causeIn(worst: ResourceNode): string {
  if (worst.cause !== '') return worst.cause;
  const words = worst.message === '' ? statusWords[worst.status].word.toLowerCase() : worst.message;
  return `${worst.kind} ${worst.name}: ${words}`.trimStart();
}

function sum(children: readonly ResourceNode[], member: 'objects' | 'unhealthy'): number {
  return children.reduce((total, child) => total + child[member], 0);
}
