/** One document of a text of several. */
export interface YamlPart {
  readonly text: string;
  /** Where it begins: characters and lines before it. */
  readonly from: number;
  readonly line: number;
}

const SEPARATOR = /^---[ \t]*(?:#[^\r\n]*)?(?:\r?\n|$)/gm;

/**
 * Splits a text at its lines of `---`, as kubectl does before parsing (apimachinery util/yaml, YAMLReader): each part is parsed
 * separately, so that a broken one does not affect the others. Text before the first `---` is not a document when it contains
 * only comments.
 */
export function splitYamlText(text: string): YamlPart[] {
  const parts: YamlPart[] = [];
  let [from, line] = [0, 0];
  const add = (to: number) => parts.push({ text: text.slice(from, to), from, line });
  for (const { 0: separator, index } of text.matchAll(SEPARATOR)) {
    const isHead = parts.length === 0 && /^(?:[ \t]*(?:#.*)?\r?\n)*$/.test(text.slice(0, index));
    if (!isHead) add(index);
    line += text.slice(from, index + separator.length).split('\n').length - 1;
    from = index + separator.length;
  }
  add(text.length);
  return parts;
}
