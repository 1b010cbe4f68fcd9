import { isSeq, parseDocument } from 'yaml';
import { TerminalError } from '@/lib/errors/errors';
import type { JsonValue } from '@/lib/json/json';

/**
 * Adds an item to a top-level list of a YAML document, or a key to a top-level map. The rest of the text, comments included, does
 * not change.
 *
 * @param place the key of the list, or of the map and the new key in it
 * @throws TerminalError when the text is not a YAML map
 */
export function appendYaml(
  text: string,
  place: readonly [string] | readonly [string, string],
  value: JsonValue,
): string {
  const document = parseDocument(text, { version: '1.1' });
  const [problem] = document.errors;
  if (problem !== undefined) throw new TerminalError(`It cannot be changed: ${problem.message}`, 'YamlInvalid');
  const node = document.createNode(value);
  const [key, member] = place;
  if (member !== undefined) {
    if (!document.has(key)) document.set(key, document.createNode({}));
    document.setIn([key, member], node);
  } else {
    const list = document.get(key, true);
    if (isSeq(list)) {
      list.flow = false;
      list.add(node);
    } else document.set(key, document.createNode([value]));
  }
  return document.toString({ lineWidth: 0, indentSeq: false });
}
