import { type Document, isCollection, isMap, isScalar, isSeq, Scalar } from 'yaml';
import type { JsonValue } from '@/lib/json/json';
import type { DocumentEdit, YamlPath } from './value-edit';

/** An edit of the document's tree, which is written again: comments, order, quotes and the indentation that is usual in the text stay. */
export function editTree(text: string, document: Document.Parsed, edit: DocumentEdit): string | undefined {
  try {
    if (!changed(document, edit)) return undefined;
    return document.toString({ lineWidth: 0, indent: usualIndent(text), indentSeq: hasIndentedLists(text) });
  } catch {
    // The package throws for what it cannot write, such as an alias whose anchor was removed.
    return undefined;
  }
}

function changed(document: Document.Parsed, edit: DocumentEdit): boolean {
  switch (edit.op) {
    case 'set':
      set(document, edit.path, edit.value);
      return true;
    case 'remove':
      return document.deleteIn(edit.path);
    case 'move': {
      const list = document.getIn(edit.path, true);
      const [item] = isSeq(list) ? list.items.splice(edit.from, 1) : [];
      if (!isSeq(list) || item === undefined) return false;
      list.items.splice(edit.to, 0, item);
      return true;
    }
    case 'rename': {
      const map = document.getIn(edit.path, true);
      const pair = isMap(map) ? map.items.find(({ key }) => isScalar(key) && key.value === edit.from) : undefined;
      if (pair === undefined) return false;
      pair.key = new Scalar(edit.to);
      return true;
    }
  }
}

function set(document: Document.Parsed, path: YamlPath, value: JsonValue): void {
  const parent = document.getIn(path.slice(0, -1), true);
  // `{}` and `[]` become lines once they hold something.
  if (isCollection(parent) && parent.items.length === 0) parent.flow = false;
  const old = document.getIn(path, true);
  const isPlain = typeof value !== 'object' || value === null;
  if (isScalar(old) && isPlain) old.value = value;
  else if (path.length === 0) document.contents = document.createNode(value) as typeof document.contents;
  else document.setIn(path, document.createNode(value));
}

/** Spaces of one level, of the first line that is indented below a key. */
function usualIndent(text: string): number {
  const found = /^\w[^\n]*:[ \t]*\n(?:[ \t]*#[^\n]*\n)*( {1,8})[^\s#-]/m.exec(text)?.[1];
  return found?.length ?? 2;
}

/** Whether dashes are indented below the key of their list. */
function hasIndentedLists(text: string): boolean {
  return !/^( *)(?:- +)*[^\s#-][^\n]*:[ \t]*\n\1- /m.test(text);
}
