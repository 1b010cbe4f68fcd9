import { Command } from 'commander';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { INSTANCES, OPERATOR_VERSIONS, OPERATORS } from '@/lib/kudo/crds/crds';
import { healthyConditionOf } from '@/lib/kudo/health-checks/results';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { formatMany, formatTree, readFormat, type Tree } from './support/output';
import { type ClusterSession, withSession } from './support/session';

const KINDS = ['instances', 'operators', 'operatorversions', 'all'] as const;
type Kind = (typeof KINDS)[number];

interface GetFlags {
  readonly output?: string;
  readonly allNamespaces?: boolean;
}

/** `bravo get instances|operators|operatorversions|all`. */
export function getCommand(): Command {
  const command = new Command('get')
    .description('List instances, operators, operator versions, or all of them')
    .argument('[kind...]', KINDS.join(', '))
    .option('-A, --all-namespaces', 'list the objects of all namespaces')
    .option('-o, --output <format>', 'yaml or json');
  return command.action(async (words: string[], flags: GetFlags, self: Command) => {
    const format = readFormat(flags.output);
    const kind = readKind(words);
    await withSession(self, async (session) => {
      const scope = flags.allNamespaces === true ? undefined : session.namespace;
      const found = await read(session, kind, scope).catch((error: unknown) => {
        throw new TerminalError(`failed to retrieve objects: ${messageOf(error)}`, 'NotReadable', { cause: error });
      });
      if (format !== undefined)
        session.printLine(formatMany([...found.operators, ...found.versions, ...found.instances], format));
      else session.printLine(listing(scope, kind, found));
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

/** @param namespace undefined: all namespaces */
async function read({ api }: ClusterSession, kind: Kind, namespace: string | undefined): Promise<Found> {
  const place = namespace === undefined ? {} : { namespace };
  const list = async (wanted: Kind, resource: typeof INSTANCES | typeof OPERATORS | typeof OPERATOR_VERSIONS) =>
    kind === wanted || kind === 'all' ? (await api.list({ ...resource, ...place })).items : [];
  return {
    operators: await list('operators', OPERATORS),
    versions: (await list('operatorversions', OPERATOR_VERSIONS)) as OperatorVersion[],
    instances: (await list('instances', INSTANCES)) as Instance[],
  };
}

function listing(namespace: string | undefined, kind: Kind, found: Found): string {
  const what = kind === 'all' ? 'operators including versions and instances' : kind;
  const where = namespace === undefined ? 'all namespaces' : `namespace "${namespace}"`;
  const children = namespace === undefined ? treeOfNamespaces(kind, found) : treeOfObjects(kind, found);
  return `List of current installed ${what} in ${where}:\n${formatTree({ value: '.', children })}`;
}

/** One node per namespace that has objects, sorted by name. KUDO could only list one namespace. */
function treeOfNamespaces(kind: Kind, { operators, versions, instances }: Found): Tree[] {
  const namespaces = new Set([...operators, ...versions, ...instances].map(namespaceOf));
  return [...namespaces].sort().map((value) => {
    const isHere = (object: KubeObject): boolean => namespaceOf(object) === value;
    const here = {
      operators: operators.filter(isHere),
      versions: versions.filter(isHere),
      instances: instances.filter(isHere),
    };
    return { value, children: treeOfObjects(kind, here) };
  });
}

/** The objects of one namespace. Operators without a version or an instance are leaves; orphans are not shown under `all`. */
function treeOfObjects(kind: Kind, found: Found): Tree[] {
  if (kind === 'all') return familyTree(found);
  if (kind === 'instances') return found.instances.map(instanceLeaf);
  const objects = kind === 'operators' ? found.operators : found.versions;
  return objects.map(leaf);
}

/** An Instance whose health checks do not pass says so below its name. KUDO listed names only. */
function instanceLeaf(instance: Instance): Tree {
  const { status = 'True', message = '' } = healthyConditionOf(instance) ?? {};
  if (status === 'True') return leaf(instance);
  const value = `${status === 'False' ? 'Unhealthy' : 'Health unknown'}: ${message}`;
  return { value: nameOf(instance), children: [{ value }] };
}

function leaf(object: KubeObject): Tree {
  return { value: nameOf(object) };
}

function familyTree({ operators, versions, instances }: Found): Tree[] {
  return operators.map((operator) => ({
    value: nameOf(operator),
    children: versions
      .filter((version) => version.spec?.operator?.name === nameOf(operator))
      .map((version) => ({
        value: nameOf(version),
        children: instances.filter((each) => each.spec?.operatorVersion?.name === nameOf(version)).map(instanceLeaf),
      })),
  }));
}
