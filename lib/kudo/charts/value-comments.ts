import { isMap, isScalar, type Node, parseDocument, type YAMLMap } from 'yaml';

/**
 * The comments of values.yaml by the path of the value that they describe: `# -- text` (helm-docs), `## @param path text` (Bitnami),
 * else the comment directly above the key, or behind the value.
 */
export function valueComments(text: string): Map<readonly string[], string> {
  const found = new Map<readonly string[], string>();
  const document = parseDocument(text, { version: '1.1', uniqueKeys: false });
  if (document.errors.length === 0 && isMap(document.contents)) {
    visit(document.contents, [], document.contents.commentBefore ?? document.commentBefore ?? undefined, found);
  }
  for (const [, path = '', rest = ''] of text.matchAll(/^\s*##?\s*@param\s+(\S+)\s+(?:\[[^\]]*\]\s*)?(.*)$/gm)) {
    if (rest.trim() !== '') found.set(path.split('.'), rest.trim());
  }
  return found;
}

function visit(
  map: YAMLMap,
  path: readonly string[],
  first: string | undefined,
  found: Map<readonly string[], string>,
): void {
  map.items.forEach((pair, index) => {
    const { key, value } = pair as { key: unknown; value: unknown };
    if (!isScalar(key)) return;
    const here = [...path, String(key.value)];
    const before = index === 0 ? [first, key.commentBefore] : [key.commentBefore];
    const behind = isScalar(value) ? (value as Node).comment : undefined;
    const text = sentence(before.find((each) => (each ?? '') !== '') ?? behind ?? '');
    if (text !== '') found.set(here, text);
    if (isMap(value)) visit(value, here, value.commentBefore ?? undefined, found);
  });
}

/** One text of the lines of a comment; of several blocks the last one, of a block with `--` what follows it. */
function sentence(comment: string): string {
  const blocks = comment.split(/\n\s*\n/);
  const lines = (blocks.at(-1) ?? '').split('\n').map((line) => line.replace(/^[#\s]+|\s+$/g, ''));
  const start = lines.findIndex((line) => line.startsWith('-- '));
  const own = (start < 0 ? lines : lines.slice(start)).map((line) => line.replace(/^-- /, ''));
  const words = own.filter((line) => line !== '' && !/^@|^[-=*#]{3,}$/.test(line)).join(' ');
  return words.replace(/^\([a-z/[\]]+\)\s*/, '').slice(0, 500);
}
