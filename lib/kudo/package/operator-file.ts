import { readBaseReference } from '../extends/base-reference';
import type { PlanMetadata } from '../plan-metadata/plan-metadata';
import type { Phase, PipeSpec, Plan, Step, Task, TaskSpec } from '../types';
import { defined, type Fields } from './fields';
import { readHealthChecks } from './health-checks-file';
import { readPatches } from './patches-file';
import { readPlanMetadata } from './plan-metadata-fields';
import type { PackageOperator } from './types';

/** Reads the fields of operator.yaml; an absent field stays absent or is empty. */
export function readOperator(fields: Fields): PackageOperator {
  const notes: PlanNotes = { deadlines: [], metadata: {} };
  const { deadlines, metadata } = notes;
  return {
    name: fields.text('name') ?? '',
    operatorVersion: fields.text('operatorVersion') ?? '',
    maintainers: fields.list('maintainers', (each) => defined({ name: each.text('name'), email: each.text('email') })),
    tasks: fields.list('tasks', readTask),
    plans: fields.map('plans', (plan) => readPlan(plan, notes)),
    ...optionalTexts(fields),
    ...defined({
      selfHeal: fields.flag('selfHeal'),
      deadlines: deadlines.length > 0 ? deadlines : undefined,
      healthChecks: readHealthChecks(fields),
      planMetadata: Object.keys(metadata).length > 0 ? metadata : undefined,
      patches: readPatches(fields),
      base: readBaseReference(fields),
    }),
  };
}

type OptionalText = 'description' | 'appVersion' | 'kudoVersion' | 'kubernetesVersion' | 'url' | 'namespaceManifest';

const OPTIONAL_TEXTS: readonly OptionalText[] = [
  'description',
  'appVersion',
  'kudoVersion',
  'kubernetesVersion',
  'url',
  'namespaceManifest',
];

function optionalTexts(fields: Fields): { [K in OptionalText]?: string } {
  const result: { [K in OptionalText]?: string } = {};
  for (const name of OPTIONAL_TEXTS) {
    const text = fields.text(name);
    if (text !== undefined && text !== '') result[name] = text;
  }
  return result;
}

function readTask(fields: Fields): Task {
  const spec = fields.child('spec', readTaskSpec) ?? {};
  return { name: fields.text('name') ?? '', kind: fields.text('kind') ?? '', spec };
}

function readTaskSpec(fields: Fields): TaskSpec {
  const pipe = fields.any('pipe') === undefined ? undefined : fields.list('pipe', readPipe);
  return defined({
    resources: fields.texts('resources'),
    parameter: fields.text('parameter'),
    pod: fields.text('pod'),
    pipe,
    package: fields.text('package'),
    instanceName: fields.text('instanceName'),
    appVersion: fields.text('appVersion'),
    operatorVersion: fields.text('operatorVersion'),
    parameterFile: fields.text('parameterFile'),
    wantErr: fields.flag('wantErr'),
    fatal: fields.flag('fatal'),
    done: fields.flag('done'),
  });
}

function readPipe(fields: Fields): PipeSpec {
  return defined({
    file: fields.text('file'),
    envFile: fields.text('envFile'),
    kind: fields.text('kind'),
    key: fields.text('key'),
  });
}

/** What plans say beside their phases. */
interface PlanNotes {
  readonly deadlines: string[];
  readonly metadata: { [plan: string]: PlanMetadata };
}

/** Plans of the file's `plans` map; what they say beside their phases is added to the notes. */
function readPlan(fields: Fields, { deadlines, metadata }: PlanNotes): Plan {
  const name = String(fields.path.at(-1) ?? '');
  const said = readPlanMetadata(fields);
  if (Object.keys(said).length > 0) metadata[name] = said;
  note(fields, name, deadlines);
  const phases = fields.list('phases', (phase) => readPhase(phase, name, deadlines));
  return { strategy: fields.text('strategy') ?? '', phases };
}

function readPhase(fields: Fields, plan: string, deadlines: string[]): Phase {
  const name = fields.text('name') ?? '';
  const steps = fields.list('steps', (step) => {
    note(step, `${plan}.${name}.${step.text('name') ?? ''}`, deadlines);
    return readStep(step);
  });
  return { name, strategy: fields.text('strategy') ?? '', steps };
}

function note(fields: Fields, place: string, deadlines: string[]): void {
  const text = fields.duration('deadline');
  if (text !== undefined) deadlines.push(`${place}=${text}`);
}

function readStep(fields: Fields): Step {
  return { name: fields.text('name') ?? '', tasks: fields.texts('tasks') ?? [] };
}
