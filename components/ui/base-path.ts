/**
 * The path below which the console is served (`/bravo`), empty for the root. Next's own links and router add it by
 * themselves; next.config.js puts it into the bundle.
 */
export const basePath = process.env.BRAVO_BASE_PATH ?? '';

/** A path of the console's server that is the same for all clusters: a file, the sign-in, or a path that names its cluster. */
export function withBasePath(path: string): string {
  return `${basePath}${path}`;
}
