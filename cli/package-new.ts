import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { OPERATOR_FILE, PARAMS_FILE } from '@/lib/kudo/package/types';
import { canonicalYaml } from '@/lib/kudo/rendering/canonical-yaml';
import { KUDO_API_VERSION } from '@/lib/kudo/types';
import { isObjectName } from '@/lib/kudo/verify/check-names';
import { parseVersion } from '@/lib/kudo/versions';
import { askMaintainer } from './package-add';
import { FIRST_TEMPLATE, newSuiteFiles } from './packages/new-package-files';
import { pathExists } from './support/operator-folder';
import { printLine } from './support/print-line';
import { type Prompter, withPrompter } from './support/prompter';
import { KUDO_VERSION } from './version';

/** The answers that a new package is written from. Fields without a value are left out. */
interface NewPackage {
  readonly folder: string;
  readonly name: string;
  readonly operatorVersion: string;
  readonly appVersion: string;
  readonly kudoVersion: string;
  readonly kubernetesVersion: string;
  readonly url: string;
  readonly maintainer: { readonly name: string; readonly email: string };
}

const FRESH: Omit<NewPackage, 'name'> = {
  folder: 'operator',
  operatorVersion: '0.1.0',
  appVersion: '0.1.0',
  kudoVersion: KUDO_VERSION,
  kubernetesVersion: '1.25.0',
  url: '',
  maintainer: { name: 'My Name', email: 'MyEmail@invalid' },
};

/**
 * `bravo package new NAME`: writes a package with one plan, one task, one template and a KUTTL suite. Unlike the package that
 * `kubectl kudo package new` writes, it passes `package verify`.
 */
export function packageNewCommand(): Command {
  return new Command('new')
    .description('Write a new package into the folder "operator"')
    .argument('[name...]', 'name of the operator')
    .option('-i, --interactive', 'ask for everything')
    .option('-w, --overwrite', 'write into a folder that exists')
    .action(async (words: string[], flags: { interactive?: boolean; overwrite?: boolean }) => {
      if (flags.interactive !== true && words.length !== 1) {
        throw refused('expecting exactly one argument - name of the operator. Or use -i for interactive mode');
      }
      if (words.length > 1) throw refused('expecting at most one argument - name of the operator');
      if (await pathExists(OPERATOR_FILE)) {
        throw refused(
          'operator.yaml exists in the current directory.  creating an operator in an operator is not supported',
        );
      }
      const [name = ''] = words;
      const checkFree = async (folder: string): Promise<void> => {
        if (flags.overwrite !== true && (await pathExists(folder))) throw refused(`folder "${folder}" already exists`);
      };
      if (flags.interactive !== true) await checkFree(FRESH.folder);
      const wanted =
        flags.interactive === true
          ? await withPrompter((prompter) => askPackage(prompter, name, checkFree))
          : { ...FRESH, name };
      if (!isObjectName(wanted.name)) {
        throw refused(
          `"${wanted.name}" is not a valid name of a Kubernetes object. Use lower-case letters, digits and -.`,
        );
      }
      await writePackage(wanted);
    });
}

async function askPackage(
  prompter: Prompter,
  name: string,
  checkFree: (folder: string) => Promise<void>,
): Promise<NewPackage> {
  const isVersion = (answer: string) =>
    parseVersion(answer) === undefined
      ? `${answer === '' ? 'an empty text' : `"${answer}"`} is not a semantic version`
      : undefined;
  const chosen = await prompter.ask({
    text: 'Operator Name',
    otherwise: name === '' ? 'myoperator' : name,
    check: (answer) => (answer.length < 3 ? 'operator name must have more than 3 characters' : undefined),
  });
  const folder = await prompter.ask({ text: 'Operator directory', otherwise: FRESH.folder });
  await checkFree(folder);
  const version = (text: string, otherwise: string) => prompter.ask({ text, otherwise, check: isVersion });
  return {
    name: chosen,
    folder,
    operatorVersion: await version('Operator Version', FRESH.operatorVersion),
    appVersion: await prompter.ask({
      text: 'Application Version',
      check: (answer) => (answer === '' ? undefined : isVersion(answer)),
    }),
    kudoVersion: await version('Required KUDO Version', FRESH.kudoVersion),
    kubernetesVersion: await version('Required Kubernetes Version', FRESH.kubernetesVersion),
    url: await prompter.ask({ text: 'Project URL' }),
    maintainer: await askMaintainer(prompter),
  };
}

async function writePackage({ folder, maintainer, ...wanted }: NewPackage): Promise<void> {
  await mkdir(folder, { recursive: true });
  const named = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== ''));
  const operator = canonicalYaml({
    apiVersion: KUDO_API_VERSION,
    ...named,
    maintainers: [{ ...maintainer }],
    tasks: [{ name: 'deploy', kind: 'Apply', spec: { resources: [FIRST_TEMPLATE.file] } }],
    plans: {
      deploy: {
        strategy: 'serial',
        phases: [{ name: 'deploy', strategy: 'serial', steps: [{ name: 'deploy', tasks: ['deploy'] }] }],
      },
    },
  });
  await writeFile(join(folder, OPERATOR_FILE), operator);
  await writeUnlessExists(join(folder, 'templates', FIRST_TEMPLATE.file), FIRST_TEMPLATE.text);
  for (const [path, text] of newSuiteFiles(wanted.name)) await writeUnlessExists(join(folder, path), text);
  const params = join(folder, PARAMS_FILE);
  if (await pathExists(params)) return;
  await writeFile(params, canonicalYaml({ apiVersion: KUDO_API_VERSION, parameters: [] }));
  printLine('Operator created. Use \n - package add parameter\n - package add plan\n - package add task');
  printLine('or other package add commands to extend it.');
}

async function writeUnlessExists(path: string, text: string): Promise<void> {
  if (await pathExists(path)) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

function refused(message: string): TerminalError {
  return new TerminalError(message, 'InvalidArguments');
}
