import type { Source } from './sources';

/** Names that Next.js gives a meaning in pages, layouts and routes. */
const CONVENTIONS = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'config',
  'dynamic',
  'dynamicParams',
  'generateMetadata',
  'metadata',
  'revalidate',
  'runtime',
  'viewport',
]);

const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|class|enum|function\*?|interface|type) ([A-Za-z_$][\w$]*)/gm;

/** Which files define an exported name; re-exports and conventions of Next.js are left out. Paths are sorted. */
export function filesByExportedName(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    for (const [, name = ''] of text.matchAll(DECLARATION)) {
      if (path.startsWith('app/') && CONVENTIONS.has(name)) continue;
      files.set(name, (files.get(name) ?? new Set()).add(path));
    }
  }
  return new Map([...files].map(([name, paths]) => [name, [...paths].sort()]));
}
