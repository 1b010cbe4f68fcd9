import { parseDocument } from 'yaml';
import { isJsonObject, type JsonValue, jsonEqual } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { looksDeep } from '../looks-deep';
import { READ_OPTIONS, readYaml } from '../yaml';
import { editText } from './edit-text';
import { editTree } from './edit-tree';
import { type DocumentEdit, editValue, type YamlPath } from './value-edit';

/**
 * Changes one place of the text of one YAML document. Comments, the order of keys, styles and fields that nobody knows stay. Most edits
 * replace only the characters of their node; where the layout does not allow that (flow style, the first key behind a dash), the document's tree is
 * edited and written again, with its comments. Either result is read again and used only when its value is exactly what was asked for.
 *
 * @returns undefined when the text cannot be read, does not have the place, or cannot be changed there alone (an anchor that others refer to)
 */
export function editYaml(text: string, edit: DocumentEdit): string | undefined {
  if (text.length > limits.yamlBytes || looksDeep(text)) return undefined;
  const read = readYaml(text);
  const wanted = read.ok ? editValue(read.value, edit) : undefined;
  if (!read.ok || wanted === undefined) return undefined;
  const small = nearestEdit(read.value, edit);
  for (const write of [editText, editTree]) {
    const document = parseDocument(text, READ_OPTIONS);
    const edited = document.errors.length > 0 ? undefined : write(text, document, small);
    if (edited !== undefined && holds(edited, wanted)) return edited;
  }
  return undefined;
}

function holds(text: string, wanted: JsonValue): boolean {
  const read = readYaml(text);
  return read.ok && jsonEqual(read.value, wanted);
}

/** A value below maps that do not exist yet, as an edit of the first key that is missing or null. */
function nearestEdit(root: JsonValue, edit: DocumentEdit): DocumentEdit {
  if (edit.op !== 'set') return edit;
  let value: JsonValue | undefined = root;
  for (const [depth, part] of edit.path.entries()) {
    const member: JsonValue | undefined = memberOf(value, part);
    if ((member === undefined || member === null) && depth < edit.path.length - 1) {
      const path = edit.path.slice(0, depth + 1);
      return { op: 'set', path, value: nested(edit.path.slice(depth + 1), edit.value) };
    }
    value = member;
  }
  return edit;
}

function memberOf(value: JsonValue | undefined, part: string | number): JsonValue | undefined {
  if (typeof part === 'number') return Array.isArray(value) ? value[part] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
}

function nested(path: YamlPath, value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>((inner, part) => (typeof part === 'number' ? [inner] : { [part]: inner }), value);
}
