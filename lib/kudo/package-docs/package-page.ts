import { SECRET_MARK } from '@/lib/live/secret-mark';
import { defaultText } from '../package/default-text';
import type { OperatorPackage, PackageGroup, PackageParameter } from '../package/types';
import { isSecretParameter } from '../parameters/parameters';
import type { Plan } from '../types';

/**
 * The documentation of a package in Markdown: what operator.yaml says, parameters by group, plans, packages that it installs too, and its
 * README. The same package gives the same text. Defaults of secret parameters are masked.
 *
 * @param readme the text of its README.md
 */
export function packagePage(pkg: OperatorPackage, readme: string | undefined): string {
  const { name, appVersion, description = '' } = pkg.operator;
  const title = [name, appVersion ?? ''].join(' ').trim();
  const parts = [
    `# ${title}`,
    description,
    facts(pkg),
    '## Parameters',
    ...parameterParts(pkg),
    '## Plans',
    ...planParts(pkg),
    ...dependencyParts(pkg),
    ...(readme === undefined || readme.trim() === '' ? [] : ['## README', lowered(readme.trim())]),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function facts({ operator }: OperatorPackage): string {
  const {
    operatorVersion,
    appVersion = '',
    kubernetesVersion = '',
    kudoVersion = '',
    url = '',
    maintainers,
  } = operator;
  const people = maintainers.map(({ name = '', email = '' }) => (email === '' ? name : `${name} (${email})`.trim()));
  const rows: [string, string][] = [
    ['Operator version', operatorVersion],
    ['App version', appVersion],
    ['Kubernetes', kubernetesVersion === '' ? '' : `${kubernetesVersion} or newer`],
    ['KUDO', kudoVersion === '' ? '' : `${kudoVersion} or newer`],
    ['Home', url],
    ['Maintainers', people.filter((each) => each !== '').join(', ')],
  ];
  return table(
    ['', ''],
    rows.filter(([, value]) => value !== '').map(([label, value]) => [label, cell(value)]),
  );
}

/** Groups by priority, as the forms show them; parameters without a group come first. */
function parameterParts({ parameters, groups }: OperatorPackage): string[] {
  if (parameters.length === 0) return ['The package has no parameters.'];
  const names = [...new Set(parameters.map(({ group = '' }) => group))];
  const known = new Map(groups.map((group) => [group.name, group]));
  const order = (name: string): number => (name === '' ? Number.NEGATIVE_INFINITY : (known.get(name)?.priority ?? 0));
  names.sort((a, b) => order(a) - order(b) || (a < b ? -1 : 1));
  return names.flatMap((name) => [
    ...(name === '' ? [] : groupHead(name, known.get(name))),
    parameterTable(parameters.filter(({ group = '' }) => group === name)),
  ]);
}

function groupHead(name: string, group: PackageGroup | undefined): string[] {
  return [`### ${group?.displayName ?? name}`, group?.description ?? ''];
}

function parameterTable(parameters: readonly PackageParameter[]): string {
  const rows = parameters.map((parameter) => [
    `\`${parameter.name}\``,
    cell(parameter.type ?? 'string'),
    defaultOf(parameter),
    cell([textOf(parameter), ...notesOf(parameter)].filter((each) => each !== '').join(' ')),
  ]);
  return table(['Parameter', 'Type', 'Default', 'Description'], rows);
}

function defaultOf({ name, type, secret, default: value }: PackageParameter): string {
  if (value === undefined) return '';
  if (secret === true || isSecretParameter(name)) return cell(SECRET_MARK);
  // Lists and maps on one line; everything else as the OperatorVersion stores it.
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : defaultText(value, type);
  if (text === '') return '`""`';
  return text.includes('`') || text.includes('\n') ? cell(text.trim()) : `\`${text.replaceAll('|', '\\|')}\``;
}

function textOf({ displayName = '', description = '', hint = '' }: PackageParameter): string {
  const lead = displayName === '' ? '' : `**${displayName}**`;
  return [lead, description.trim(), hint.trim()].filter((each) => each !== '').join(' ');
}

/** What else a person must know to set a value. */
function notesOf(parameter: PackageParameter): string[] {
  const { required, default: value, immutable, secret, name, enum: members = [], trigger, advanced } = parameter;
  const values = members.map((each) => `\`${goodText(each)}\``).join(', ');
  return [
    required && value === undefined ? 'Required.' : '',
    members.length > 0 ? `One of ${values}.` : '',
    immutable ? 'Cannot be changed later.' : '',
    secret === true || isSecretParameter(name) ? 'Secret.' : '',
    advanced === true ? 'Advanced.' : '',
    trigger === undefined ? '' : `A change starts the plan \`${trigger}\`.`,
  ].filter((each) => each !== '');
}

const goodText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function planParts({ operator }: OperatorPackage): string[] {
  return Object.entries(operator.plans).flatMap(([name, plan]) => {
    const { displayName, description = '', destructive, approval } = operator.planMetadata?.[name] ?? {};
    const notes = [
      destructive === true ? 'It deletes or replaces data, so each start is confirmed.' : '',
      approval === true ? 'A second person approves each start.' : '',
    ];
    return [
      `### ${displayName === undefined ? name : `${displayName} (${name})`}`,
      [description, ...notes].filter((each) => each !== '').join(' '),
      table(['Phase', 'Step', 'Tasks'], stepRows(plan)),
    ];
  });
}

function stepRows({ phases, strategy }: Plan): string[][] {
  const rows = (phases ?? []).flatMap((phase) =>
    (phase.steps ?? []).map((step, at) => [
      at === 0 ? `${cell(phase.name)}${phase.strategy === 'serial' ? '' : ' (steps in parallel)'}` : '',
      cell(step.name),
      (step.tasks ?? []).map((task) => `\`${task}\``).join(', '),
    ]),
  );
  const isParallel = strategy !== 'serial' && (phases ?? []).length > 1;
  return isParallel ? [...rows, ['All phases run in parallel', '', '']] : rows;
}

function dependencyParts({ operator }: OperatorPackage): string[] {
  const rows = operator.tasks.flatMap(({ kind, name, spec = {} }) =>
    kind === 'KudoOperator' && spec.package !== undefined
      ? [[cell(spec.package), cell([spec.appVersion, spec.operatorVersion].filter(Boolean).join(' ')), `\`${name}\``]]
      : [],
  );
  return rows.length === 0 ? [] : ['## Installs too', table(['Package', 'Version', 'Task'], rows)];
}

/** A table of GitHub's Markdown. Nothing without rows. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Text in a cell: on one line, and without what would end the cell. */
function cell(text: string): string {
  return text
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');
}

/** Headings of a README below that of the page; code blocks stay as they are. */
function lowered(readme: string): string {
  let isCode = false;
  const lines = readme.split('\n').map((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    return isCode ? line : line.replace(/^(#{1,4})(?=\s)/, '##$1');
  });
  return lines.join('\n');
}
