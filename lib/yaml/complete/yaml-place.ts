/**
 * Where the cursor is in a YAML text that is being written: the text need not be valid, and may be a template. Read line by line from
 * the indentation (block style), because a parser gives up where somebody types. Actions (`{{ … }}`) count as plain words; lines that
 * hold nothing else do not count.
 */
export interface YamlPlace {
  /** Keys from the root of the document to the map or list at the cursor; `[]` is an item of a list. */
  readonly path: readonly string[];
  /**
   * `key`: a key of the map at the path. `value`: the value of `key` in that map. `item`: an item of the list at the path
   * (its last part is `[]`), which may be a scalar or the first key of a map.
   */
  readonly role: 'key' | 'value' | 'item';
  /** The key whose value is written; empty for the other roles. */
  readonly key: string;
  /** Where the word at the cursor begins, and the word up to the cursor. */
  readonly from: number;
  readonly typed: string;
  /** Other keys of the same map. */
  readonly siblings: ReadonlySet<string>;
  /** Scalars of the same map by key, e.g. the `kind` of a task. */
  readonly values: ReadonlyMap<string, string>;
}

interface Entry {
  readonly column: number;
  /** Undefined for the dash of a list's item. */
  readonly key: string | undefined;
  readonly value: string;
}

type Line = readonly Entry[];

const KEY = /^("[^"]*"|'[^']*'|[^\s#:"'[\]{},-][^:#]*?|-[^\s:#][^:#]*?)\s*:(?=\s|$)\s*/;

/** The place at an offset; undefined inside comments, block scalars and flow maps. */
export function yamlPlaceAt(text: string, offset: number): YamlPlace | undefined {
  const start = documentStart(text, offset);
  const lines = withoutActions(text.slice(start, documentEnd(text, offset))).split('\n');
  const before = withoutActions(text.slice(start, offset)).split('\n');
  const row = before.length - 1;
  const current = before[row] ?? '';
  if (/(^|\s)#/.test(current)) return undefined;
  const head = headOf(current);
  if (head === undefined) return undefined;
  const above = entriesOf(lines.slice(0, row));
  const own = entriesIn(current.slice(0, head.column) + (head.role === 'value' ? `${head.key}:` : ''));
  const { path, siblings, isText } = climb([...above, own], head.column);
  if (isText) return undefined;
  for (const [key, value] of below(entriesOf(lines.slice(row + 1)), head.column)) siblings.set(key, value);
  if (head.role === 'value') siblings.delete(head.key);
  return {
    path,
    role: head.role === 'key' && own.at(-1)?.key === undefined && own.length > 0 ? 'item' : head.role,
    key: head.key,
    from: offset - head.typed.length,
    typed: head.typed,
    siblings: new Set(siblings.keys()),
    values: siblings,
  };
}

interface Head {
  readonly role: 'key' | 'value';
  /** The column of the key. */
  readonly column: number;
  readonly key: string;
  readonly typed: string;
}

/** What is written in the line of the cursor. */
function headOf(line: string): Head | undefined {
  const indent = /^\s*(?:-\s+)*/.exec(line)?.[0].length ?? 0;
  const rest = line.slice(indent);
  const key = KEY.exec(rest);
  if (key === null) {
    // A dash without a space behind it is not yet an item.
    return rest === '-' || /[{}[\]]/.test(rest) ? undefined : { role: 'key', column: indent, key: '', typed: rest };
  }
  const value = rest.slice(key[0].length);
  // Of a list in brackets, the item at the cursor.
  const typed = value.startsWith('[') ? (/[^[,\s]*$/.exec(value)?.[0] ?? '') : value;
  if (value.startsWith('{') || value.includes(']') || /^[|>]/.test(value)) return undefined;
  return { role: 'value', column: indent, key: plain(key[1] ?? ''), typed };
}

/** From the cursor's line to the top: the keys that lead there, and the keys of its own map. */
function climb(
  lines: readonly Line[],
  from: number,
): { path: string[]; siblings: Map<string, string>; isText: boolean } {
  const path: string[] = [];
  const siblings = new Map<string, string>();
  let column = from;
  let isItem = false;
  let isOwn = true;
  for (const { column: at, key, value } of lines.flat().reverse()) {
    const isParent = at < column || (isItem && at === column && key !== undefined);
    if (!isParent) {
      if (isOwn && at === column && key !== undefined) siblings.set(key, value);
      continue;
    }
    if (/^[|>][-+\d]*$/.test(value)) return { path, siblings, isText: true };
    path.unshift(key ?? '[]');
    column = at;
    isItem = key === undefined;
    isOwn = false;
  }
  return { path, siblings, isText: false };
}

/** Keys of the same map below the cursor. */
function* below(lines: readonly Line[], column: number): Generator<[string, string]> {
  for (const line of lines) {
    for (const { column: at, key, value } of line) {
      if (at < column) return;
      if (at === column && key !== undefined) yield [key, value];
    }
  }
}

function entriesOf(lines: readonly string[]): Line[] {
  return lines.map(entriesIn);
}

function entriesIn(line: string): Line {
  const entries: Entry[] = [];
  let column = /^\s*/.exec(line)?.[0].length ?? 0;
  for (;;) {
    const dash = /^-(\s+|$)/.exec(line.slice(column));
    if (dash === null) break;
    entries.push({ column, key: undefined, value: '' });
    column += dash[0].length;
  }
  const key = KEY.exec(line.slice(column));
  if (key !== null) {
    const value = line
      .slice(column + key[0].length)
      .replace(/\s+#.*$/, '')
      .trim();
    entries.push({ column, key: plain(key[1] ?? ''), value: plain(value) });
  }
  return entries;
}

function plain(text: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(text);
  return quoted?.[2] ?? text;
}

/** The same text, of the same length, in which actions are words; lines with nothing but actions are blank. */
export function withoutActions(text: string): string {
  const blank = (match: string) => match.replace(/[^\n]/g, ' ');
  return text
    .replace(/^[ \t]*(?:\{\{(?:[^}]|\}(?!\}))*\}\}[ \t]*)+$/gm, blank)
    .replace(/\{\{(?:[^}]|\}(?!\}))*\}\}/g, (match) => match.replace(/[^\n]/g, 'x'));
}

function documentStart(text: string, offset: number): number {
  const at = text.slice(0, offset).lastIndexOf('\n---');
  if (at !== -1) return text.indexOf('\n', at + 1) + 1 || offset;
  return text.startsWith('---') ? text.indexOf('\n') + 1 : 0;
}

function documentEnd(text: string, offset: number): number {
  const at = text.indexOf('\n---', offset);
  return at === -1 ? text.length : at + 1;
}
