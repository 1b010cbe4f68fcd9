import { safePattern } from '@/lib/schema/safe-pattern';

/** A pattern of Go's filepath.Match as RE2; undefined when it is none. `*` and `?` do not match a slash. */
function globPattern(glob: string): string | undefined {
  let pattern = '';
  for (let index = 0; index < glob.length; index++) {
    const char = glob.charAt(index);
    if (char === '*') pattern += '[^/]*';
    else if (char === '?') pattern += '[^/]';
    else if (char === '[') {
      const end = glob.indexOf(']', index + 2);
      if (end === -1) return undefined;
      pattern += glob.slice(index, end + 1);
      index = end;
    } else if (char === '\\') {
      if (index + 1 >= glob.length) return undefined;
      index++;
      pattern += escapeChar(glob.charAt(index));
    } else pattern += escapeChar(char);
  }
  return `^(?:${pattern})$`;
}

function escapeChar(char: string): string {
  return /[A-Za-z0-9_]/.test(char) ? char : `\\${char}`;
}

/** A test of file names by glob patterns (Go filepath.Match); a text names the pattern that is none. */
export function globMatcher(globs: readonly string[]): ((name: string) => boolean) | string {
  const patterns = globs.map((glob) => {
    const pattern = globPattern(glob);
    return pattern === undefined ? undefined : safePattern(pattern);
  });
  const broken = patterns.indexOf(undefined);
  if (broken !== -1) return `invalid ignore pattern "${globs[broken]}": syntax error in pattern`;
  return (name) => patterns.some((pattern) => pattern?.matcher(name).find() === true);
}
