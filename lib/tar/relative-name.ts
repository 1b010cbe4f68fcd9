/** The name of an archive's entry as a path below the archive's root: `./x`, `/x` and `a/../x` are `x`; a name cannot leave the root. */
export function relativeName(name: string): string {
  const parts: string[] = [];
  for (const part of name.replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
