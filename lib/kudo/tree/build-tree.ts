import type { KindSummary } from '@/lib/kube/kinds';
import { type KubeObject, nameOf, namespaceOf, parseApiVersion } from '@/lib/kube/object';
import { isOwnedBy } from '@/lib/kube/owners';
import type { Topic } from '@/lib/live/topic';
import type { TopicView } from '@/lib/live/view';
import type { DriftedObject } from '../drift/report';
import { type Inventory, keyOfObject } from '../inventory/inventory';
import { INSTANCE_LABEL } from '../names';
import type { Instance, OperatorVersion } from '../types';
import type { InstanceState } from '../view/instance-state';
import { unreadableText } from '../view/unreadable';
import { type AppliedBy, type AppliedEntry, appliedBy, appliedEntries } from './applied-by';
import { byPhase } from './phase-nodes';
import { type OwnNode, type ResourceNode, rankOf, resourceNode, statusOfHealth } from './resource-node';
import { childKindsOf, kindKey, type TreeKind } from './tree-kinds';
import { asTreeObject, type TreeObject } from './tree-object';
import { compareInTree } from './tree-order';

export interface TreeInput {
  readonly instance: Instance;
  readonly state: InstanceState;
  readonly version: OperatorVersion | undefined;
  readonly inventory: Inventory | undefined;
  /** Each kind of the tree with what is known of its topic. */
  readonly kinds: readonly (TreeKind & { readonly view: Pick<TopicView, 'status' | 'objects'> })[];
  /** By {@link inventoryKey}. */
  readonly drifted: ReadonlyMap<string, DriftedObject>;
}

interface Found {
  readonly object: TreeObject;
  readonly topic: Topic;
  readonly key: string;
}

/** What the drawing of one tree knows. */
interface Context extends TreeInput {
  readonly entries: ReadonlyMap<string, AppliedEntry>;
  readonly all: readonly Found[];
  readonly byUid: ReadonlyMap<string, Found>;
  /** UIDs of objects that are below another one. */
  readonly below: ReadonlySet<string>;
  readonly childrenByUid: ReadonlyMap<string, readonly Found[]>;
  /** `group/Kind` → the kind, for those that may not be listed. */
  readonly refused: ReadonlyMap<string, string>;
}

/** The tree of an Instance: see docs/decisions/100. */
export function buildTree(input: TreeInput): ResourceNode {
  const context = contextOf(input);
  const { instance, state, entries } = context;
  const applied: { readonly node: ResourceNode; readonly by: AppliedBy }[] = [];
  const others: ResourceNode[] = [];
  const seen = new Set<string>();
  for (const found of context.all) {
    const by = appliedBy(found.object, entries.get(found.key)?.by, { instance, version: input.version });
    if (by !== undefined && !isMadeByController(found, context))
      applied.push({ node: nodeOfFound(found, context, by), by });
    else if (isLoose(found, context)) others.push(nodeOfFound(found, context));
    seen.add(found.key);
  }
  for (const [key, { entry, by }] of entries) {
    if (!seen.has(key)) applied.push({ node: absentNode(key, entry, context, by), by });
  }
  const phases = byPhase(applied, input.version);
  const group = others.length === 0 ? [] : [othersNode(others)];
  const name = nameOf(instance);
  const own = { id: 'instance', sort: 'instance', kind: 'Instance', name, status: state.key } as const;
  const message = [state.word, state.reason].filter((word) => word !== '').join(': ');
  const address = {
    group: 'kudo.dev',
    version: 'v1beta1',
    resource: 'instances',
    namespace: namespaceOf(instance),
    name,
  };
  const createdAt = instance.metadata.creationTimestamp ?? '';
  return {
    ...resourceNode({ ...own, message, address, createdAt }, [...phases, ...group]),
    status: state.key,
    message,
  };
}

function contextOf(input: TreeInput): Context {
  const own = input.instance.metadata.uid;
  const all = input.kinds.flatMap(({ kind, view }) => view.objects.map((row) => foundOf(row, kind)));
  const others = all.filter(({ object }) => object.metadata.uid !== own);
  const byUid = new Map(others.map((found) => [found.object.metadata.uid ?? '', found]));
  const sets = others.filter(({ object }) => object.claimTemplates !== undefined);
  const childrenByUid = new Map<string, Found[]>();
  const below = new Set<string>();
  for (const found of others) {
    const parent = parentOf(found, byUid, sets);
    if (parent === undefined) continue;
    below.add(found.object.metadata.uid ?? '');
    const children = childrenByUid.get(parent);
    if (children === undefined) childrenByUid.set(parent, [found]);
    else children.push(found);
  }
  const refused = new Map(
    input.kinds
      .filter(({ view }) => view.status === 'forbidden')
      .map(({ kind }) => [kindKey(kind), kind.group === '' ? kind.resource : `${kind.resource}.${kind.group}`]),
  );
  return { ...input, entries: appliedEntries(input.inventory), all: others, byUid, below, childrenByUid, refused };
}

/** Rows of the stream that did not change are the same objects: of thousands of pods only those that changed are made anew. */
const known = new WeakMap<KubeObject, Found>();
/** Lines without children, of objects that no task applied. */
const leaves = new WeakMap<TreeObject, ResourceNode>();

function foundOf(row: KubeObject, { group, version, resource }: KindSummary): Found {
  const before = known.get(row);
  if (before !== undefined) return before;
  const object = asTreeObject(row);
  const { namespace } = object.metadata;
  const at = { group, version, resource, ...(namespace === undefined ? {} : { namespace }) };
  const found = { object, key: keyOfObject(object), topic: { ...at, name: nameOf(object) } };
  known.set(row, found);
  return found;
}

/** The uid of the object in the tree that it is a child of: its controller, else another owner, else the StatefulSet of a claim. */
function parentOf({ object }: Found, byUid: ReadonlyMap<string, Found>, sets: readonly Found[]): string | undefined {
  const owners = object.metadata.ownerReferences ?? [];
  const known = owners.filter(({ uid }) => byUid.has(uid) && uid !== object.metadata.uid);
  const owner = known.find(({ controller }) => controller === true) ?? known[0];
  if (owner !== undefined) return owner.uid;
  if (object.kind !== 'PersistentVolumeClaim') return undefined;
  return sets.find((set) => isClaimOf(set.object, nameOf(object)))?.object.metadata.uid;
}

/** A claim of a StatefulSet is named `<template>-<statefulset>-<ordinal>`, and has no owner unless the set deletes its claims. */
function isClaimOf(set: TreeObject, claim: string): boolean {
  return (set.claimTemplates ?? []).some((template) => {
    const prefix = `${template}-${nameOf(set)}-`;
    return claim.startsWith(prefix) && /^[0-9]+$/.test(claim.slice(prefix.length));
  });
}

/** True for a pod and the like: a template gave it the labels and annotations of what a task applied, but a controller created it. */
function isMadeByController({ object, key }: Found, { byUid, entries }: Context): boolean {
  const owners = object.metadata.ownerReferences ?? [];
  return !entries.has(key) && owners.some(({ uid, controller }) => controller === true && byUid.has(uid));
}

/** True for what belongs to the Instance and is below no other object. */
function isLoose({ object }: Found, { instance, below }: Context): boolean {
  const isLabelled = object.metadata.labels?.[INSTANCE_LABEL] === nameOf(instance);
  return (isLabelled || isOwnedBy(object, instance.metadata.uid ?? '')) && !below.has(object.metadata.uid ?? '');
}

/** @param above the uids above it: owners that go in a circle end there */
function nodeOfFound(found: Found, context: Context, by?: AppliedBy, above: readonly string[] = []): ResourceNode {
  const { object, key } = found;
  const { uid = key } = object.metadata;
  const children = context.childrenByUid.get(uid) ?? [];
  const refusals = refusedNodes(found, context);
  const drift = context.drifted.get(key);
  const isPlain = by === undefined && drift === undefined && children.length === 0 && refusals.length === 0;
  const leaf = isPlain ? leaves.get(object) : undefined;
  if (leaf !== undefined) return leaf;
  const below = [...above, uid];
  const nodes = children
    .filter((child) => !below.includes(child.object.metadata.uid ?? '') && !isApplied(child, context))
    .sort((a, b) => compareInTree(a.object, b.object))
    .map((child) => nodeOfFound(child, context, undefined, below));
  const node = resourceNode(ownOf(found, uid, { by, drift }), [...nodes, ...refusals]);
  if (isPlain) leaves.set(object, node);
  return node;
}

interface Marks {
  readonly by: AppliedBy | undefined;
  readonly drift: DriftedObject | undefined;
}

function ownOf({ object, topic }: Found, id: string, { by, drift }: Marks): OwnNode {
  const { creationTimestamp, deletionTimestamp } = object.metadata;
  const isChanged = drift?.state === 'changed';
  const rank = rankOf(object.health);
  return {
    id,
    sort: 'object',
    kind: object.kind,
    name: nameOf(object),
    fact: object.fact,
    status: isChanged && rank === 0 ? 'drifted' : statusOfHealth(object.health, deletionTimestamp !== undefined),
    message: object.health.message,
    rank,
    address: topic,
    createdAt: creationTimestamp ?? '',
    ...(by === undefined ? {} : { by }),
    ...(isChanged ? { drift: drift.words } : {}),
  };
}

/** It is below its task. */
function isApplied(child: Found, context: Context): boolean {
  if (isMadeByController(child, context)) return false;
  const { entries, instance, version } = context;
  return appliedBy(child.object, entries.get(child.key)?.by, { instance, version }) !== undefined;
}

/** Says which children of an object nobody can see, because their kind may not be listed. */
function refusedNodes({ object, key }: Found, { refused, instance }: Context): ResourceNode[] {
  const { group } = parseApiVersion(object.apiVersion);
  const kinds = childKindsOf(`${group}/${object.kind}`).flatMap((child) => refused.get(child) ?? []);
  if (kinds.length === 0) return [];
  const name = unreadableText(kinds, namespaceOf(instance));
  return [resourceNode({ id: `refused:${key}`, sort: 'refused', kind: '', name, status: 'unknown' }, [])];
}

/** An object that a task applied, and that was deleted, or whose kind may not be listed. */
function absentNode(
  key: string,
  { apiVersion, kind, name }: AppliedEntry['entry'],
  { kinds, drifted, instance, refused }: Context,
  by: AppliedBy,
): ResourceNode {
  const { group } = parseApiVersion(apiVersion);
  const own = { id: `absent:${key}`, sort: 'missing', kind, name, by } as const;
  const refusedKind = refused.get(`${group}/${kind}`);
  if (refusedKind !== undefined) {
    const message = unreadableText([refusedKind], namespaceOf(instance));
    return resourceNode({ ...own, status: 'unknown', message, rank: 1 }, []);
  }
  const followed = kinds.filter(({ kind: each, topic }) => {
    const isNamed = topic.name === undefined || topic.name === name;
    return kindKey(each) === `${group}/${kind}` && isNamed;
  });
  if (followed.some(({ view }) => view.status === 'loading'))
    return resourceNode({ ...own, status: 'unknown', message: 'is being read' }, []);
  const isMissing = drifted.get(key)?.state === 'missing' || followed.some(({ view }) => view.status === 'ready');
  if (!isMissing) return resourceNode({ ...own, status: 'unknown', message: 'cannot be read', rank: 1 }, []);
  return resourceNode({ ...own, status: 'drifted', message: 'was deleted', drift: 'was deleted', rank: 2 }, []);
}

function othersNode(nodes: readonly ResourceNode[]): ResourceNode {
  const sorted = [...nodes].sort((a, b) => compareInTree(a, b));
  return resourceNode({ id: 'others', sort: 'others', kind: '', name: 'Not applied by a task' }, sorted);
}
