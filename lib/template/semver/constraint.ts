import { RE2JS } from 're2js';
import type { SemverEdition } from '@/lib/semver/semver';
import { GoError } from '../template-error';
import type { SemverVersion } from '../value/semver-version';
import { checkConstraint } from './check';
import type { Constraint } from './comparison';
import { readSemver } from './version';

const VERSION =
  'v?([0-9|x|X|\\*]+)(\\.[0-9|x|X|\\*]+)?(\\.[0-9|x|X|\\*]+)?' +
  '(-([0-9A-Za-z\\-]+(\\.[0-9A-Za-z\\-]+)*))?(\\+([0-9A-Za-z\\-]+(\\.[0-9A-Za-z\\-]+)*))?';
const OPERATORS = '=||!=|>|<|>=|=>|<=|=<|~|~>|\\^';

// These run on text of packages, so they use the linear engine.
const SINGLE = RE2JS.compile(`^\\s*(${OPERATORS})\\s*(${VERSION})\\s*$`);
const RANGE = RE2JS.compile(`\\s*(${VERSION})\\s+-\\s+(${VERSION})\\s*`);
const FIND = RE2JS.compile(`(${OPERATORS})\\s*(${VERSION})`);
const VALID = RE2JS.compile(
  `^(\\s*(${OPERATORS})\\s*(${VERSION})\\s*)((?:\\s+|,\\s*)(${OPERATORS})\\s*(${VERSION})\\s*)*$`,
);

/**
 * NewConstraint and Check of Masterminds/semver: `||` separates alternatives, spaces and commas join. The version is parsed
 * after the constraint. @throws GoError
 */
export function satisfies(text: string, versionOf: () => SemverVersion, edition: SemverEdition): boolean {
  const alternatives = rewriteRanges(text)
    .split('||')
    .map((part) => parseAll(part, edition));
  const version = versionOf();
  return alternatives.some((all) => all.every((constraint) => checkConstraint(constraint, version, edition)));
}

/** `1.2 - 2.0` means `>= 1.2, <= 2.0`. */
function rewriteRanges(text: string): string {
  const matcher = RANGE.matcher(text);
  let result = text;
  while (matcher.find()) {
    result = result.replace(matcher.group(0) ?? '', () => `>= ${matcher.group(1)}, <= ${matcher.group(11)} `);
  }
  return result;
}

function parseAll(text: string, edition: SemverEdition): Constraint[] {
  if (edition === 'v3') {
    if (!VALID.matcher(text).find()) throw new GoError(`improper constraint: ${text}`);
    const found: string[] = [];
    const matcher = FIND.matcher(text);
    while (matcher.find()) found.push(matcher.group(0) ?? '');
    return (found.length === 0 ? [text] : found).map((part) => parseOne(part, edition));
  }
  return text.split(',').map((part) => parseOne(part, edition));
}

function isWild(part: string): boolean {
  return part === '' || part === 'x' || part === 'X' || part === '*';
}

function parseOne(text: string, edition: SemverEdition): Constraint {
  const matcher = SINGLE.matcher(text);
  if (!matcher.find()) throw new GoError(`improper constraint: ${text}`);
  const group = (index: number): string => matcher.group(index) ?? '';
  const [major, minor, patch, prerelease] = [group(3), group(4).slice(1), group(5).slice(1), group(6)];
  let written = group(2);
  let [minorDirty, patchDirty] = [false, false];
  // The older release reads `1.2` as `1.2.0`, but `1` as any 1.x.
  const isPatchWild = edition === 'v3' ? isWild(patch) : isWild(patch) && patch !== '';
  const dirty = isWild(major) || isWild(minor) || isPatchWild;
  if (isWild(major)) written = `0.0.0${prerelease}`;
  else if (isWild(minor)) {
    minorDirty = true;
    written = `${major}.0.0${prerelease}`;
  } else if (isWild(patch)) {
    patchDirty = isPatchWild;
    written = `${major}.${minor}.0${prerelease}`;
  }
  return { operator: group(1), version: readVersion(written, edition), dirty, minorDirty, patchDirty };
}

function readVersion(text: string, edition: SemverEdition): SemverVersion {
  try {
    return readSemver(text, edition);
  } catch (error) {
    if (error instanceof GoError) throw new GoError('constraint Parser Error');
    throw error;
  }
}
