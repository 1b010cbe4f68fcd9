import { readBaseReference } from '../extends/base-reference';
import type { TaskLiveValues } from '../live-values/live-values';
import { readApi } from '../own-kinds/api-file';
import type { PlanMetadata } from '../plan-metadata/plan-metadata';
import { readUpgradableFrom } from '../repository/lifecycle';
import type { Phase, PipeSpec, Plan, Step, Task, TaskSpec } from '../types';
import { defined, type Fields } from './fields';
import { readHealthChecks } from './health-checks-file';
import { readLiveValues } from './live-values-fields';
import { readMeters } from './meter-file';
import { readPatches } from './patches-file';
import { readPlanMetadata } from './plan-metadata-fields';
import type { PackageOperator, PackageParameter } from './types';

/**
 * Reads the fields of operator.yaml; an absent field stays absent or is empty.
 *
 * @param parameters of params.yaml, of which the schema of an own kind may be made
 */
export function readOperator(fields: Fields, parameters: readonly PackageParameter[] = []): PackageOperator {
  const notes: PlanNotes = { deadlines: [], metadata: {} };
  const liveValues: { [task: string]: TaskLiveValues } = {};
  const { deadlines, metadata } = notes;
  return {
    name: fields.text('name') ?? '',
    operatorVersion: fields.text('operatorVersion') ?? '',
    maintainers: fields.list('maintainers', (each) => defined({ name: each.text('name'), email: each.text('email') })),
    tasks: fields.list('tasks', (task) => readTask(task, liveValues)),
    plans: fields.map('plans', (plan) => readPlan(plan, notes)),
    ...optionalTexts(fields),
    ...defined({
      selfHeal: fields.flag('selfHeal'),
      deadlines: deadlines.length > 0 ? deadlines : undefined,
      healthChecks: readHealthChecks(fields),
      api: readApi(fields, parameters),
      meters: readMeters(fields),
      planMetadata: Object.keys(metadata).length > 0 ? metadata : undefined,
      liveValues: Object.keys(liveValues).length > 0 ? liveValues : undefined,
      upgradableFrom: readUpgradableFrom(fields.any('upgradableFrom'), (path, message) =>
        fields.problem('upgradableFrom', `"${path.join('.')}" ${message}`),
      ),
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

/** A task; what it says beside its spec is added to `liveValues`. */
function readTask(fields: Fields, liveValues: { [task: string]: TaskLiveValues }): Task {
  const name = fields.text('name') ?? '';
  const said = readLiveValues(fields);
  if (said.reads.length + said.rules.length > 0) liveValues[name] = said;
  return { name, kind: fields.text('kind') ?? '', spec: fields.child('spec', readTaskSpec) ?? {} };
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
