import type { ResourceNode } from './resource-node';

/** More children than these are closed at first. */
const MOST_OPEN = 50;

/** A visible line with its place, as the tree pattern of WAI-ARIA needs it. */
export interface TreeRow {
  readonly node: ResourceNode;
  /** From 1. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly isOpen: boolean;
  /** The id of the line above it in the tree; undefined for the first. */
  readonly parent: string | undefined;
}

/** What a person has opened and closed, by id; lines that are not in it are as they are at first. */
export type OpenState = ReadonlyMap<string, boolean>;

/** True for a line whose children are shown. */
export function isOpenNode(node: ResourceNode, opened: OpenState): boolean {
  return node.children.length > 0 && (opened.get(node.id) ?? node.children.length <= MOST_OPEN);
}

/** The lines that are visible, from top to bottom. */
export function treeRows(root: ResourceNode, opened: OpenState): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (node: ResourceNode, place: Omit<TreeRow, 'node' | 'isOpen'>) => {
    const isOpen = isOpenNode(node, opened);
    rows.push({ node, ...place, isOpen });
    if (!isOpen) return;
    node.children.forEach((child, at) => {
      add(child, { level: place.level + 1, position: at + 1, siblings: node.children.length, parent: node.id });
    });
  };
  add(root, { level: 1, position: 1, siblings: 1, parent: undefined });
  return rows;
}

export interface TreeFilter {
  readonly query: string;
  readonly isUnhealthyOnly: boolean;
}

/** The tree with what fits the filter, and what is above that; undefined when nothing fits. Each word has to be in the line. */
export function filteredTree(root: ResourceNode, { query, isUnhealthyOnly }: TreeFilter): ResourceNode | undefined {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && !isUnhealthyOnly) return root;
  const fits = (node: ResourceNode) => {
    if (isUnhealthyOnly && (node.rank === 0 || node.sort === 'refused')) return false;
    const text = `${node.kind} ${node.name} ${node.fact} ${node.message}`.toLowerCase();
    return (node.sort === 'object' || node.sort === 'missing') && words.every((word) => text.includes(word));
  };
  const keep = (node: ResourceNode): ResourceNode | undefined => {
    const children = node.children.flatMap((child) => keep(child) ?? []);
    return children.length > 0 || fits(node) ? { ...node, children } : undefined;
  };
  return keep(root);
}

/** What a key does in the tree (WAI-ARIA Authoring Practices, tree view). */
export type TreeStep =
  | { readonly go: string }
  | { readonly open: readonly string[] }
  | { readonly close: string }
  | undefined;

/** What the keys of any tree need of a line. */
interface StepRow {
  readonly node: { readonly id: string; readonly children: readonly unknown[] };
  readonly isOpen: boolean;
  readonly parent: string | undefined;
}

/** @param id the line that has the focus */
export function treeStep(key: string, rows: readonly StepRow[], id: string): TreeStep {
  const at = rows.findIndex(({ node }) => node.id === id);
  const row = rows[at];
  if (row === undefined) return undefined;
  switch (key) {
    case 'ArrowDown':
      return goTo(rows[at + 1]);
    case 'ArrowUp':
      return goTo(rows[at - 1]);
    case 'Home':
      return goTo(rows[0]);
    case 'End':
      return goTo(rows.at(-1));
    case 'ArrowRight':
      if (row.node.children.length === 0) return undefined;
      return row.isOpen ? goTo(rows[at + 1]) : { open: [id] };
    case 'ArrowLeft':
      if (row.isOpen) return { close: id };
      return row.parent === undefined ? undefined : { go: row.parent };
    case '*':
      return { open: rows.filter(({ parent }) => parent === row.parent).map(({ node }) => node.id) };
    default:
      return undefined;
  }
}

/** The next line after the one with the focus whose kind or name begins with the typed text; the search begins again at the top. */
export function typedAhead(rows: readonly TreeRow[], id: string, typed: string): string | undefined {
  const at = rows.findIndex(({ node }) => node.id === id);
  // Who types one letter again and again goes from line to line; who types a word stays on the line that fits it.
  const from = typed.length === 1 ? at + 1 : Math.max(at, 0);
  const inTurn = [...rows.slice(from), ...rows.slice(0, from)];
  const text = typed.toLowerCase();
  return inTurn.find(({ node }) =>
    [node.name, `${node.kind} ${node.name}`].some((name) => name.toLowerCase().startsWith(text)),
  )?.node.id;
}

function goTo(row: StepRow | undefined): TreeStep {
  return row === undefined ? undefined : { go: row.node.id };
}
