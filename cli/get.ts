import { Command } from 'commander';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCES, OPERATOR_VERSIONS, OPERATORS } from '@/lib/kudo/crds';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { formatMany, formatTree, readFormat, type Tree } from './support/output';
import { type Session, withSession } from './support/session';

const KINDS = ['instances', 'operators', 'operatorversions', 'all'] as const;
type Kind = (typeof KINDS)[number];

/** `bravo get instances|operators|operatorversions|all`. */
export function getCommand(): Command {
  const command = new Command('get')
    .description('List instances, operators, operator versions, or all of them')
    .argument('[kind...]', KINDS.join(', '))
    .option('-o, --output <format>', 'yaml or json');
  return command.action(async (words: string[], flags: { output?: string }, self: Command) => {
    const format = readFormat(flags.output);
    const kind = readKind(words);
    await withSession(self, async (session) => {
      const found = await read(session, kind).catch((error: unknown) => {
        throw new TerminalError(`failed to retrieve objects: ${messageOf(error)}`, 'NotReadable', { cause: error });
      });
      if (format !== undefined)
        session.print(formatMany([...found.operators, ...found.versions, ...found.instances], format));
      else session.print(listing(session, kind, found));
    });
  });
}

function readKind(words: readonly string[]): Kind {
  const names = '"instances, operators, operatorversions or all"';
  const [word] = words;
  if (word === undefined || words.length !== 1) {
    throw new TerminalError(`expecting exactly one argument - ${names}`, 'InvalidArguments');
  }
  const kind = KINDS.find((each) => each === word);
  if (kind === undefined) throw new TerminalError(`expecting one of ${names} and not "${word}"`, 'InvalidArguments');
  return kind;
}

interface Found {
  readonly operators: KubeObject[];
  readonly versions: OperatorVersion[];
  readonly instances: Instance[];
}

async function read({ api, namespace }: Session, kind: Kind): Promise<Found> {
  const list = async (wanted: Kind, resource: typeof INSTANCES | typeof OPERATORS | typeof OPERATOR_VERSIONS) =>
    kind === wanted || kind === 'all' ? (await api.list({ ...resource, namespace })).items : [];
  return {
    operators: await list('operators', OPERATORS),
    versions: (await list('operatorversions', OPERATOR_VERSIONS)) as OperatorVersion[],
    instances: (await list('instances', INSTANCES)) as Instance[],
  };
}

function listing({ namespace }: Session, kind: Kind, found: Found): string {
  const what = kind === 'all' ? 'operators including versions and instances' : kind;
  const heading = `List of current installed ${what} in namespace "${namespace}":`;
  const objects = kind === 'operators' ? found.operators : kind === 'instances' ? found.instances : found.versions;
  const children = kind === 'all' ? familyTree(found) : objects.map(leaf);
  return `${heading}\n${formatTree({ value: '.', children })}`;
}

function leaf(object: KubeObject): Tree {
  return { value: object.metadata.name ?? '' };
}

function familyTree({ operators, versions, instances }: Found): Tree[] {
  return operators.map((operator) => ({
    value: operator.metadata.name ?? '',
    children: versions
      .filter((version) => version.spec?.operator?.name === operator.metadata.name)
      .map((version) => ({
        value: version.metadata.name ?? '',
        children: instances.filter((each) => each.spec?.operatorVersion?.name === version.metadata.name).map(leaf),
      })),
  }));
}
