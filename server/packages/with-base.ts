import { messageOf, TerminalError } from '@/lib/errors/errors';
import type { BaseReference } from '@/lib/kudo/extends/base-reference';
import { type AddedPlaces, flattenPackage } from '@/lib/kudo/extends/flatten';
import { type BaseLock, digestOfPackage, readBaseLock } from '@/lib/kudo/extends/lock';
import { bestBase, RangeProblem } from '@/lib/kudo/extends/versions';
import { operatorVersionName } from '@/lib/kudo/names';
import { parsePackage } from '@/lib/kudo/package/parse-package';
import {
  OPERATOR_FILE,
  type OperatorPackage,
  PARAMS_FILE,
  type PackageFiles,
  problemAt,
} from '@/lib/kudo/package/types';
import type { Versioned } from '@/lib/kudo/versions';
import { limits } from '@/lib/limits/limits';
import { findInScope, type ResolveContext } from './find-in-scope';
import { type LoadedPackage, PackageError } from './loaded-package';
import type { PackageSource } from './package-reference';

/** A package with its base put in. */
export interface PackageWithBase {
  /** `package` and `files` are those of the flattened package; the scope is the one of the extending package. */
  readonly loaded: LoadedPackage;
  /** What `extends.lock.yaml` has to say. */
  readonly lock: BaseLock;
  /** The newest version of the range, when the lock names an older one. */
  readonly newer: string | undefined;
}

export interface BaseOptions {
  /** Take the newest version of the range, whatever the lock says. */
  readonly updatesBase?: boolean;
}

/**
 * Finds the base of a package that extends another one, and puts it in. A package without `extends` is undefined.
 *
 * @throws PackageError for conflicts, with file and line; TerminalError when the base cannot be found, or has other content than the lock says
 */
export async function withBase(
  loaded: LoadedPackage,
  context: ResolveContext,
  options: BaseOptions = {},
): Promise<PackageWithBase | undefined> {
  return extended(loaded, context, options, []);
}

async function extended(
  loaded: LoadedPackage,
  context: ResolveContext,
  options: BaseOptions,
  chain: readonly string[],
): Promise<PackageWithBase | undefined> {
  const reference = loaded.package.operator.base;
  if (reference === undefined) return undefined;
  const name = fullName(loaded.package);
  if (chain.includes(name) || chain.length >= limits.extendsDepth) {
    const way = [...chain, name].join(' → ');
    const why = chain.includes(name) ? 'A package cannot extend itself' : 'Too many packages extend one another';
    throw atExtends(loaded, `${why}: ${way}.`);
  }
  const known = options.updatesBase === true ? undefined : readBaseLock(loaded.files);
  const lockedTo = known?.operator === reference.operator ? known : undefined;
  const { found, newest } = await findBase(loaded, reference, lockedTo, context);
  const base = (await extended(found, context, {}, [...chain, name]))?.loaded ?? found;
  const lock = lockOf(base);
  if (lockedTo !== undefined && lockedTo.digest !== lock.digest) {
    const message = `The base ${fullName(base.package)} has another content than extends.lock.yaml says. If that is right, run: bravo package create --update-base`;
    throw new TerminalError(message, 'DigestMismatch');
  }
  const result = flattenPackage({ files: loaded.files, name }, { files: base.files, name: fullName(base.package) });
  if (!result.ok) throw new PackageError(result.problems, loaded.place);
  return { loaded: asLoaded(loaded, result.files, result.added), lock, newer: newerThan(lock, newest) };
}

function asLoaded(from: LoadedPackage, files: PackageFiles, added: AddedPlaces): LoadedPackage {
  const parsed = parsePackage(files, from.place);
  if (!parsed.ok) throw new PackageError(parsed.problems, from.place);
  const { base: _base, ...operator } = parsed.package.operator;
  const flat = { ...parsed.package, operator };
  return {
    ...from,
    files,
    package: { ...flat, lineOf: linesOf(from.package, flat, added) },
    warnings: parsed.warnings,
  };
}

/** Findings are at the lines of the extending package: at what it says itself, else at `extends`. */
function linesOf(own: OperatorPackage, flat: OperatorPackage, added: AddedPlaces): OperatorPackage['lineOf'] {
  const lineOfParameter = (at: number, rest: readonly (string | number)[]): number => {
    const index = added.parameters.get(flat.parameters[at]?.name ?? '');
    return index === undefined ? 1 : own.lineOf(PARAMS_FILE, ['parameters', index, ...rest]);
  };
  return (file, path) => {
    const [key, at, ...rest] = path;
    if (file === PARAMS_FILE) return typeof at === 'number' ? lineOfParameter(at, rest) : 1;
    if ((key === 'tasks' || key === 'patches') && typeof at === 'number') {
      const index = at - added[key];
      return own.lineOf(file, index < 0 ? ['extends'] : [key, index, ...rest]);
    }
    return own.lineOf(file, key === 'plans' && !added.plans.has(String(at)) ? ['extends'] : path);
  };
}

async function findBase(
  loaded: LoadedPackage,
  reference: BaseReference,
  lock: BaseLock | undefined,
  context: ResolveContext,
): Promise<{ found: LoadedPackage; newest: Versioned | undefined }> {
  if (reference.path !== undefined) {
    const found = await findInScope(relative(reference.path), loaded.scope);
    if (found === undefined) throw atExtends(loaded, `There is no package at ${reference.path}.`);
    const version = versionsOf(found);
    if (found.package.operator.name !== reference.operator || choose(loaded, [version], reference) === undefined) {
      const message = `${reference.path} is ${fullName(found.package)}, which is not the wanted ${wanted(reference)}.`;
      throw atExtends(loaded, message);
    }
    return { found, newest: undefined };
  }
  const source = sourceOf(loaded, reference, context);
  const versions = (await source.versions?.(reference.operator)) ?? [];
  const newest = choose(loaded, versions, reference);
  const best = lock ?? newest;
  if (best === undefined) {
    const known = versions.map(shown).join(', ');
    throw atExtends(loaded, `There is no ${wanted(reference)}. Known versions: ${known === '' ? 'none' : known}.`);
  }
  return { found: await source.find({ name: reference.operator, ...exactly(best) }), newest };
}

function sourceOf(loaded: LoadedPackage, { repository }: BaseReference, context: ResolveContext): PackageSource {
  if (repository === undefined) return context.catalogue;
  const source = context.repositoryNamed?.(repository);
  if (source === undefined) throw atExtends(loaded, `There is no repository ${repository}. List them: bravo repo list`);
  return source;
}

function choose<T extends Versioned>(
  loaded: LoadedPackage,
  versions: readonly T[],
  reference: BaseReference,
): T | undefined {
  try {
    return bestBase(versions, reference);
  } catch (error) {
    if (error instanceof RangeProblem) throw atExtends(loaded, messageOf(error));
    throw error;
  }
}

function exactly({ appVersion, operatorVersion }: Versioned): Versioned {
  return { appVersion, operatorVersion };
}

function versionsOf({ package: { operator } }: LoadedPackage): Versioned {
  return { appVersion: operator.appVersion ?? '', operatorVersion: operator.operatorVersion };
}

function lockOf(base: LoadedPackage): BaseLock {
  return { operator: base.package.operator.name, ...versionsOf(base), digest: digestOfPackage(base.files) };
}

function newerThan(lock: BaseLock, newest: Versioned | undefined): string | undefined {
  return newest === undefined || shown(newest) === shown(lock) ? undefined : shown(newest);
}

function shown({ appVersion, operatorVersion }: Versioned): string {
  return appVersion === '' ? operatorVersion : `${appVersion}-${operatorVersion}`;
}

function wanted({ operator, version, operatorVersion }: BaseReference): string {
  const ranges = [version, operatorVersion].filter((range) => range !== undefined);
  return ranges.length === 0 ? operator : `${operator} ${ranges.join(' and ')}`;
}

function relative(path: string): string {
  return /^\.{0,2}\//.test(path) ? path : `./${path}`;
}

function atExtends(loaded: LoadedPackage, message: string): PackageError {
  const line = loaded.package.lineOf(OPERATOR_FILE, ['extends']);
  return new PackageError([problemAt(OPERATOR_FILE, line, message)], loaded.place);
}

function fullName({ operator }: OperatorPackage): string {
  return operatorVersionName(operator.name, operator.operatorVersion, operator.appVersion);
}
