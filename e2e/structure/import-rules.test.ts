import { describe, expect, it } from 'vitest';
import { readSources, type Source } from './sources';

/** Who may import whom, as ARCHITECTURE.md says: the rules that the linter cannot express. */
const everySource = readSources();
const sources = everySource.filter((source) => !source.isTest);

const OWN = /^(app|components|lib|server|cli)\//;

/** Files that the tests of one folder share, beside its code. */
const FIXTURE = /-fixture(\.tsx?)?$/;

function offences(files: readonly Source[], isAllowed: (target: string, source: Source) => boolean): string[] {
  return files.flatMap((source) =>
    source.imports.filter(({ target }) => !isAllowed(target, source)).map(({ target }) => `${source.path} → ${target}`),
  );
}

const inFolder = (folder: string) => sources.filter((source) => source.path.startsWith(folder));
const startsWithAny = (target: string, prefixes: readonly string[]) =>
  prefixes.some((prefix) => target.startsWith(prefix));

describe('the import rules', () => {
  it('lib imports only lib and packages that run anywhere', () => {
    const notPure = /^(node:|next|react|undici|ws$|pino|libsql|@kubernetes|worker_threads)/;
    expect(
      offences(inFolder('lib/'), (target) => (OWN.test(target) ? target.startsWith('lib/') : !notPure.test(target))),
    ).toEqual([]);
  });

  it('components import no server code', () => {
    const allowed = (target: string) =>
      OWN.test(target) ? startsWithAny(target, ['lib/', 'components/']) : !target.startsWith('node:');
    expect(offences(inFolder('components/'), allowed)).toEqual([]);
  });

  it('pages import components, lib, and of the server only the session', () => {
    const pages = inFolder('app/').filter((source) => !/route\.tsx?$/.test(source.path));
    const allowed = (target: string) =>
      !OWN.test(target) || startsWithAny(target, ['app/', 'components/', 'lib/', 'server/auth/session']);
    expect(offences(pages, allowed)).toEqual([]);
  });

  it('every route file exports only handlers made by the one wrapper', () => {
    const handlers = inFolder('app/').filter((source) => /route\.tsx?$/.test(source.path));
    const unwrapped = handlers.filter((source) => {
      const names = [
        ...source.text.matchAll(
          /export (?:const|async function|function) (GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b(.*)/g,
        ),
      ];
      const isWrapped = (rest: string) =>
        /^\s*=\s*(route|anonymousRoute|proxyRoute|handler)\b/.test(rest) || /^\s*=\s*[a-z]\w*;/.test(rest);
      return (
        names.length === 0 ||
        names.some((match) => !isWrapped(match[2] ?? '')) ||
        !/\b(route|anonymousRoute)[<(]/.test(source.text)
      );
    });
    expect(unwrapped.map(({ path }) => path)).toEqual([]);
  });

  it('only the way in and the probes serve people who have not signed in', () => {
    const places = ['app/api/auth/', 'app/api/health/', 'app/api/ready/'];
    const anonymous = inFolder('app/').filter(({ text }) => text.includes('anonymousRoute'));
    expect(anonymous.map(({ path }) => path).filter((path) => !startsWithAny(path, places))).toEqual([]);
  });

  it('routes and pages act in the cluster of the request, those of the process in the home cluster', () => {
    const places = ['app/api/auth/', 'app/api/ready/', 'app/api/status/'];
    const home = inFolder('app/').filter(({ text }) => /\bclusters\.(home|find)\b/.test(text));
    expect(home.map(({ path }) => path).filter((path) => !startsWithAny(path, places))).toEqual([]);
  });

  it('the sandbox imports only lib and itself, so that every part talks HTTP to it', () => {
    expect(
      offences(
        inFolder('server/sandbox/'),
        (target) => !OWN.test(target) || startsWithAny(target, ['lib/', 'server/sandbox/']),
      ),
    ).toEqual([]);
  });

  it('only the worker entry, the command line and the runtime import the controller', () => {
    const others = sources.filter(
      ({ path }) => !startsWithAny(path, ['server/controller/', 'server/workers/', 'server/runtime/', 'cli/']),
    );
    expect(offences(others, (target) => !target.startsWith('server/controller/'))).toEqual([]);
  });

  it('only the sandbox worker, the command line and the sandbox itself import the sandbox', () => {
    const homes = ['server/sandbox/', 'server/workers/', 'cli/'];
    const others = sources.filter(({ path }) => !startsWithAny(path, homes) && !FIXTURE.test(path));
    expect(offences(others, (target) => !target.startsWith('server/sandbox/'))).toEqual([]);
  });

  it('no source file imports e2e, tests beside the code included', () => {
    expect(offences(everySource, (target) => !target.startsWith('e2e/'))).toEqual([]);
  });

  it('only tests and fixtures import test/', () => {
    const product = sources.filter(({ path }) => !FIXTURE.test(path));
    expect(offences(product, (target) => !target.startsWith('test/'))).toEqual([]);
  });

  it('only tests and fixtures import fixtures', () => {
    const product = sources.filter(({ path }) => !FIXTURE.test(path));
    expect(offences(product, (target) => !FIXTURE.test(target))).toEqual([]);
  });
});

describe('where side effects are allowed', () => {
  const offenders = (pattern: RegExp, homes: readonly string[]) =>
    sources
      .filter(({ path, text }) => pattern.test(stripComments(text)) && !startsWithAny(path, homes))
      .map(({ path }) => path);

  it('the environment is read in the settings, the process and the command line only', () => {
    // In the base path's file it is a constant, which the build of the pages puts in.
    const homes = ['server/config/', 'server/main.ts', 'server/kube/credential', 'cli/', 'components/ui/base-path.ts'];
    expect(offenders(/process\.env/, homes)).toEqual([]);
  });

  it('randomness comes from lib/random only', () => {
    expect(offenders(/Math\.random\(/, ['lib/random/'])).toEqual([]);
  });

  it('predictable random bytes are used by no product code but the one that ends runs of earlier versions', () => {
    const isFixture = /(-fixture|test-[a-z]+)\.ts$/;
    const users = offenders(/\bseededRandom\b/, ['lib/random/random.ts', 'server/tasks/randomness.ts']);
    expect(users.filter((path) => !isFixture.test(path))).toEqual([]);
  });

  it('no text becomes HTML or code', () => {
    expect(offenders(/dangerouslySetInnerHTML|\.innerHTML\s*=|(?<![*.])\beval\(|new Function\(/, [])).toEqual([]);
  });
});

function stripComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}
