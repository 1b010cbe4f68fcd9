/**
 * The part of Markdown that READMEs of packages use: headings, paragraphs, fenced code, lists, tables, quotes; in a text code, bold,
 * emphasis and links. Everything else, HTML too, is text. Nothing of it becomes HTML: pages make elements of these blocks.
 */
export type Block =
  | { readonly is: 'heading'; readonly level: 1 | 2 | 3 | 4 | 5 | 6; readonly text: readonly Span[] }
  | { readonly is: 'paragraph' | 'quote'; readonly text: readonly Span[] }
  | { readonly is: 'code'; readonly text: string }
  | { readonly is: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Span[])[] }
  | {
      readonly is: 'table';
      readonly head: readonly (readonly Span[])[];
      readonly rows: readonly (readonly (readonly Span[])[])[];
    };

/** A part of a text. */
export type Span =
  | { readonly is: 'text' | 'code' | 'bold' | 'emphasis'; readonly text: string }
  /** A `link` leads to the web, a `reference` to another file or a heading of where the text comes from. */
  | { readonly is: 'link' | 'reference'; readonly text: string; readonly href: string };

const FENCE = /^ {0,3}(```+|~~~+)/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*$/;
const ITEM = /^ {0,6}([-*+]|\d{1,9}[.)])[ \t]+(.*)$/;
const DIVIDER = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const MOST_LINES = 10_000;

/** The blocks of a text, in order. */
export function parseMarkdown(text: string): readonly Block[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n').slice(0, MOST_LINES);
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    if (line.trim() === '') {
      at++;
      continue;
    }
    const { block, next } = blockAt(lines, at, line);
    if (block !== undefined) blocks.push(block);
    at = next;
  }
  return blocks;
}

interface Found {
  readonly block: Block | undefined;
  /** The line after the block. */
  readonly next: number;
}

function blockAt(lines: readonly string[], at: number, line: string): Found {
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return codeAt(lines, at, fence);
  const [, marks, title = ''] = HEADING.exec(line) ?? [];
  if (marks !== undefined) {
    const level = marks.length as 1 | 2 | 3 | 4 | 5 | 6;
    return { block: { is: 'heading', level, text: parseSpans(title) }, next: at + 1 };
  }
  if (/^ {0,3}(?:-[ \t]*){3,}$|^ {0,3}(?:\*[ \t]*){3,}$/.test(line)) return { block: undefined, next: at + 1 };
  if (line.includes('|') && DIVIDER.test(lines[at + 1] ?? '')) return tableAt(lines, at);
  if (ITEM.test(line)) return listAt(lines, at);
  if (/^ {0,3}>/.test(line)) return textAt(lines, at, 'quote');
  return textAt(lines, at, 'paragraph');
}

function codeAt(lines: readonly string[], at: number, fence: string): Found {
  let end = at + 1;
  while (end < lines.length && !(lines[end] ?? '').trimStart().startsWith(fence)) end++;
  return { block: { is: 'code', text: lines.slice(at + 1, end).join('\n') }, next: end + 1 };
}

function tableAt(lines: readonly string[], at: number): Found {
  let end = at + 2;
  while (end < lines.length && (lines[end] ?? '').includes('|')) end++;
  const head = cellsOf(lines[at] ?? '');
  const rows = lines.slice(at + 2, end).map((line) => head.map((_cell, column) => cellsOf(line)[column] ?? []));
  return { block: { is: 'table', head, rows }, next: end };
}

function cellsOf(line: string): (readonly Span[])[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => parseSpans(cell.trim().replaceAll('\\|', '|')));
}

/** Lines that begin no item belong to the item before them. */
function listAt(lines: readonly string[], at: number): Found {
  const items: string[] = [];
  let end = at;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? '';
    const [, , text] = ITEM.exec(line) ?? [];
    if (text !== undefined) items.push(text);
    else if (line.trim() === '' || FENCE.test(line) || HEADING.test(line)) break;
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  const isOrdered = /^ *\d/.test(lines[at] ?? '');
  return { block: { is: 'list', isOrdered, items: items.map(parseSpans) }, next: end };
}

function textAt(lines: readonly string[], at: number, is: 'paragraph' | 'quote'): Found {
  const texts: string[] = [];
  let end = at;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? '';
    const isOther = FENCE.test(line) || HEADING.test(line) || (is === 'paragraph' && ITEM.test(line));
    if (line.trim() === '' || (end > at && isOther)) break;
    texts.push(line.trim().replace(/^>[ \t]?/, ''));
  }
  return { block: { is, text: parseSpans(texts.join(' ')) }, next: end };
}

const SPAN = /(`+)([^`]+)\1|\*\*([^*\n]+)\*\*|\*([^*\s][^*\n]*)\*|!?\[([^\][\n]{1,500})\]\(([^()\s]{1,2000})\)/g;

function isWeb(href: string): boolean {
  return /^https?:\/\//.test(href);
}

function isOtherScheme(href: string): boolean {
  return !isWeb(href) && /^[a-z][a-z0-9+.-]*:/i.test(href);
}

/** The parts of one line of text. */
export function parseSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  let done = 0;
  for (const match of text.matchAll(SPAN)) {
    const [whole, , code, bold, emphasis, label, href] = match;
    if (match.index > done) spans.push({ is: 'text', text: text.slice(done, match.index) });
    done = match.index + whole.length;
    if (code !== undefined) spans.push({ is: 'code', text: code.trim() });
    else if (bold !== undefined) spans.push({ is: 'bold', text: bold.replaceAll('`', '') });
    else if (emphasis !== undefined) spans.push({ is: 'emphasis', text: emphasis });
    // A picture is its text, and an address of another scheme leads nowhere.
    else if (label !== undefined && href !== undefined && !whole.startsWith('!') && !isOtherScheme(href)) {
      spans.push({ is: isWeb(href) ? 'link' : 'reference', text: label.replaceAll('`', ''), href });
    } else spans.push({ is: 'text', text: label ?? whole });
  }
  if (done < text.length) spans.push({ is: 'text', text: text.slice(done) });
  return spans;
}
