import type { ResourceNode } from './resource-node';

/** Objects that the graph draws at first, and children of one parent. */
const MOST_DRAWN = 200;
const MOST_CHILDREN = 8;
/** Children of a parent that a person opened. */
const MOST_OPENED = 200;

/** A line of the tree in the graph. */
export interface GraphNode {
  readonly node: ResourceNode;
  readonly children: readonly GraphNode[];
  /** Children that are not drawn. */
  readonly hidden: number;
  /** True when all that can be drawn of its children is drawn: more of them are in the tree alone. */
  readonly isFull: boolean;
}

/**
 * The phases of a tree with what is below them. At first at most {@link MOST_DRAWN} lines, those near the top first, and of many children those that are not
 * healthy before the others; parents in `opened` show their children beyond that.
 */
export function treeGraph(root: ResourceNode, opened: ReadonlySet<string>): GraphNode[] {
  const drawn = new Map<ResourceNode, readonly ResourceNode[]>();
  let room = MOST_DRAWN;
  // Level by level: no phase takes the room of the next one.
  for (let level: readonly ResourceNode[] = root.children; level.length > 0; ) {
    const below: ResourceNode[] = [];
    for (const node of level) {
      const isOpened = opened.has(node.id);
      const most = isOpened ? MOST_OPENED : Math.min(room, isGroup(node) ? MOST_DRAWN : MOST_CHILDREN);
      const children = most < node.children.length ? worstFirst(node.children).slice(0, most) : node.children;
      if (!isOpened) room -= children.length;
      drawn.set(node, children);
      below.push(...children);
    }
    level = below;
  }
  const graphOf = (node: ResourceNode): GraphNode => {
    const children = drawn.get(node) ?? [];
    const hidden = node.children.length - children.length;
    return { node, children: children.map(graphOf), hidden, isFull: opened.has(node.id) };
  };
  return root.children.map(graphOf);
}

function isGroup({ sort }: ResourceNode): boolean {
  return sort === 'phase' || sort === 'task' || sort === 'others';
}

function worstFirst(nodes: readonly ResourceNode[]): ResourceNode[] {
  return [...nodes].sort((a, b) => b.rank - a.rank);
}
