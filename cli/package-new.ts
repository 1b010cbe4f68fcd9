import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { FRESH_PACKAGE, type NewPackage, newPackageFiles } from '@/lib/kudo/package/new-package';
import { OPERATOR_FILE, PARAMS_FILE } from '@/lib/kudo/package/types';
import { isObjectName } from '@/lib/kudo/verify/check-names';
import { parseVersion } from '@/lib/kudo/versions';
import { askMaintainer } from './package-add';
import { pathExists } from './support/operator-folder';
import { printLine } from './support/print-line';
import { type Prompter, withPrompter } from './support/prompter';

/** The answers that a new package is written from. */
interface Answers extends NewPackage {
  readonly folder: string;
}

const FRESH = { ...FRESH_PACKAGE, folder: 'operator' };

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
): Promise<Answers> {
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

async function writePackage({ folder, ...wanted }: Answers): Promise<void> {
  const isNew = !(await pathExists(join(folder, PARAMS_FILE)));
  for (const [path, text] of newPackageFiles(wanted)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    if (path === OPERATOR_FILE) await writeFile(join(folder, path), text);
    else await writeUnlessExists(join(folder, path), text);
  }
  if (!isNew) return;
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
