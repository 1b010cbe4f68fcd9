import { TerminalError } from '@/lib/errors/errors';
import type { JsonValue } from '@/lib/json/json';
import { canonicalYaml } from '@/lib/kudo/rendering/canonical-yaml';

export type OutputFormat = 'yaml' | 'json' | undefined;

/** `-o`: empty, `yaml` or `json`. */
export function readFormat(text: string | undefined): OutputFormat {
  if (text === undefined || text === '') return undefined;
  if (text === 'yaml' || text === 'json') return text;
  throw new TerminalError("invalid output format, only support 'yaml' or 'json' or empty", 'InvalidArguments');
}

/** `-o` of verbs that may print names alone: also `name`. */
export function readNameFormat(text: string | undefined): OutputFormat | 'name' {
  if (text === 'name') return text;
  if (text === undefined || text === '' || text === 'yaml' || text === 'json') return readFormat(text);
  throw new TerminalError(
    "invalid output format, only support 'yaml' or 'json' or 'name' or empty",
    'InvalidArguments',
  );
}

/** One object as YAML followed by an empty line, or as indented JSON. */
export function formatOne(value: unknown, format: 'yaml' | 'json'): string {
  return format === 'json' ? JSON.stringify(value, null, 2) : toYaml(value);
}

/** As Go's tools write it, keys sorted; members that are undefined are left out. */
function toYaml(value: unknown): string {
  const json: JsonValue = JSON.parse(JSON.stringify(value));
  return canonicalYaml(json);
}

/** Several objects: YAML documents ended by `...`, or one JSON array (`null` when there are none). */
export function formatMany(values: readonly unknown[], format: 'yaml' | 'json'): string {
  if (format === 'json') return values.length === 0 ? 'null' : JSON.stringify(values, null, 2);
  return [...values.map((value) => `---\n${toYaml(value)}`), '...'].join('\n');
}

/** A tree as KUDO prints it: `├── `, `└── `, and no-break spaces below a branch that continues. */
export interface Tree {
  readonly value: string;
  readonly children?: readonly Tree[];
}

/** The tree's text, with an empty line at its end. */
export function formatTree(root: Tree): string {
  const lines = [root.value];
  addChildren(root.children ?? [], '', lines);
  return `${lines.join('\n')}\n`;
}

const BRANCH_BESIDE = '│\u00a0\u00a0 ';

function addChildren(children: readonly Tree[], indent: string, lines: string[]): void {
  children.forEach((child, index) => {
    const isLast = index === children.length - 1;
    lines.push(`${indent}${isLast ? '└── ' : '├── '}${child.value}`);
    addChildren(child.children ?? [], indent + (isLast ? '    ' : BRANCH_BESIDE), lines);
  });
}

/** Rows of cells, padded to the widest cell of the column and joined by tabs. Words longer than `width` are cut. */
export function formatTable(rows: readonly (readonly string[])[], width = Number.POSITIVE_INFINITY): string {
  const cells = rows.map((row) => row.map((cell) => wrapCell(cell, width)));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => Math.max(0, ...(row[column] ?? []).map((line) => line.length)))),
  );
  return cells
    .flatMap((row) =>
      Array.from({ length: Math.max(1, ...row.map((cell) => cell.length)) }, (_, line) =>
        row.map((cell, column) => (cell[line] ?? '').padEnd(widths[column] ?? 0)).join('\t'),
      ),
    )
    .join('\n');
}

function wrapCell(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    if (line.length <= width) return [line];
    const lines: string[] = [];
    let current = '';
    for (const word of line.split(/\s+/)) {
      const short = word.length > width ? `${word.slice(0, width - 3)}...` : word;
      if (current !== '' && current.length + 1 + short.length > width) {
        lines.push(current);
        current = short;
      } else current = current === '' ? short : `${current} ${short}`;
    }
    return [...lines, current];
  });
}
