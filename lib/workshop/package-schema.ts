import { HEALTH_CHECK_KINDS, HEALTH_CHECK_MODES, HEALTH_CHECK_SCHEMES } from '@/lib/kudo/health-checks/types';
import { PARAMETER_PICKERS } from '@/lib/kudo/parameters/parameter-schema';
import type { JsonSchema } from '@/lib/schema/json-schema';

/** Names of the package that a value is chosen from. */
export type NameSource = 'templates' | 'tasks' | 'plans' | 'parameters' | 'groups';

/** The shape of a file of a package, for completion and hover: a schema whose values may name parts of the package. */
export interface FileSchema extends Omit<JsonSchema, 'properties' | 'items' | 'additionalProperties'> {
  readonly properties?: { readonly [name: string]: FileSchema };
  readonly items?: FileSchema;
  readonly additionalProperties?: FileSchema;
  readonly names?: NameSource;
}

const text = (description: string, more: Partial<FileSchema> = {}): FileSchema => ({
  type: 'string',
  description,
  ...more,
});
const flag = (description: string): FileSchema => ({ type: 'boolean', description, enum: [true, false] });
const list = (description: string, items: FileSchema): FileSchema => ({ type: 'array', description, items });
const map = (description: string, properties: FileSchema['properties'] = {}): FileSchema => ({
  type: 'object',
  description,
  properties,
});

const API_VERSION = text('The version of the format.', { enum: ['kudo.dev/v1beta1'] });
const STRATEGY = text('serial: one after the other. parallel: all at once.', { enum: ['serial', 'parallel'] });
const DEADLINE = text('The longest time that it may take: 90s, 10m, 1h30m.');

const TASK_SPEC = map('What the task does; which fields it has depends on its kind.', {
  resources: list(
    'Templates whose objects are applied or deleted. Apply, Delete, Toggle.',
    text('', { names: 'templates' }),
  ),
  parameter: text('Toggle: the objects exist while this parameter is true.', { names: 'parameters' }),
  pod: text('Pipe: the template of the pod that writes the files.', { names: 'templates' }),
  pipe: list(
    'Pipe: the files that are copied out of the pod.',
    map('', {
      file: text('The path of a file in the pod.'),
      envFile: text('The path of a file of NAME=value lines in the pod.'),
      kind: text('What the file becomes.', { enum: ['ConfigMap', 'Secret'] }),
      key: text('The name by which templates reach it: .Pipes.KEY.'),
    }),
  ),
  package: text('KudoOperator: the operator that is installed, by name or as a path in the package.'),
  instanceName: text('KudoOperator: the name of the Instance that is created.'),
  operatorVersion: text('KudoOperator: the version of the operator.'),
  appVersion: text('KudoOperator: the version of the application.'),
  parameterFile: text('KudoOperator: a template that gives the parameters of the Instance.', { names: 'templates' }),
  done: flag('Dummy: the task completes.'),
  wantErr: flag('Dummy: the task fails.'),
  fatal: flag('Dummy: the failure ends the plan.'),
});

const CONDITIONS = (description: string) => list(description, text('A CEL expression.'));

const READ_OBJECT = map('', {
  id: text('The name in templates: .Objects.ID.'),
  apiVersion: text('The apiVersion of the object; v1 when absent.'),
  kind: text('The kind of the object.'),
  name: text('The name of the object; may be a template.'),
  namespace: text('The namespace of the object, when it is another one.'),
  optional: flag('The plan does not wait for the object.'),
  readyWhen: CONDITIONS('The plan waits until all are true.'),
  trigger: text('The plan that a change of the object starts.', { names: 'plans' }),
});

const RULE = map('', {
  resource: text('The template of the objects.', { names: 'templates' }),
  kind: text('The kind of the objects, when the template has several.'),
  includeWhen: CONDITIONS('The objects exist while all are true.'),
  readyWhen: CONDITIONS('The objects are ready when all are true.'),
});

const TASK = map('', {
  name: text('The name that steps use.'),
  kind: text(
    'Apply: creates and updates. Delete: deletes. Toggle: by a parameter. Pipe: files of a pod. KudoOperator: another operator. Dummy: nothing.',
    {
      enum: ['Apply', 'Delete', 'Toggle', 'Pipe', 'KudoOperator', 'Dummy'],
    },
  ),
  spec: TASK_SPEC,
  reads: list('Objects of the cluster that templates of the task see as .Objects.ID.', READ_OBJECT),
  rules: list('When a resource of the task exists, and when it is ready.', RULE),
});

const STEP = map('', {
  name: text('The name of the step.'),
  tasks: list('The tasks of the step, which run at once.', text('', { names: 'tasks' })),
  deadline: DEADLINE,
});

const PHASE = map('', {
  name: text('The name of the phase.'),
  strategy: STRATEGY,
  steps: list('The steps of the phase.', STEP),
});

const PLAN: FileSchema = map('A plan: phases, their steps, their tasks.', {
  strategy: STRATEGY,
  phases: list('The phases of the plan.', PHASE),
  deadline: DEADLINE,
  displayName: text('What the button of the plan says.'),
  description: text('What the plan does, in a sentence.'),
  destructive: flag('The plan destroys data: it asks for the name of the Instance.'),
  approval: flag('A second person has to approve each start.'),
  icon: text('The icon of the button.'),
  confirm: text('What is asked before the start.'),
  parameters: list('The parameters that the start of the plan asks for.', text('', { names: 'parameters' })),
  preconditions: list(
    'Conditions without which the plan does not start.',
    map('', { expression: text('A CEL expression.'), message: text('What to do when it is false.') }),
  ),
  backups: text('Where the backups of the plan are found.'),
  concurrency: map('How many plans of a group run at once.', {
    group: text('The name of the group.'),
    limit: { type: 'integer', description: 'How many.' },
  }),
});

const HEALTH_CHECK = map('', {
  name: text('The name of the check.'),
  displayName: text('The name in pages.'),
  kind: text('exec: a command in a container. http: a GET. tcp: a connection.', { enum: [...HEALTH_CHECK_KINDS] }),
  pods: map('Labels of the pods that are checked.'),
  mode: text('How many pods have to pass.', { enum: [...HEALTH_CHECK_MODES] }),
  message: text('What a failure means.'),
  enabled: text('A template: the check runs while it gives true.'),
  period: text('How often it runs: 30s.'),
  timeout: text('How long it may take: 5s.'),
  container: text('exec: the container.'),
  command: list('exec: the command and its arguments.', text('')),
  port: { description: 'http and tcp: the port.' },
  path: text('http: the path.'),
  scheme: text('http: the scheme.', { enum: [...HEALTH_CHECK_SCHEMES] }),
});

const OPERATOR: FileSchema = map('', {
  apiVersion: API_VERSION,
  name: text('The name of the operator.'),
  description: text('What the operator runs, in a sentence.'),
  operatorVersion: text('The version of this package, semver in quotes.'),
  appVersion: text('The version of the application, in quotes. Templates read it as .AppVersion.'),
  kubernetesVersion: text('The oldest Kubernetes that it runs on, in quotes.'),
  kudoVersion: text('The oldest KUDO that it runs with, in quotes.'),
  url: text('The home page of the operator.'),
  namespaceManifest: text('A template of the namespace that an install creates.', { names: 'templates' }),
  selfHeal: flag('Objects that are deleted or changed by hand are restored.'),
  maintainers: list('Who maintains it.', map('', { name: text('A name.'), email: text('An address.') })),
  tasks: list('What plans are made of.', TASK),
  plans: {
    ...map('Plans by name. deploy is required; update and upgrade start by themselves.'),
    additionalProperties: PLAN,
  },
  extends: map('The package that this one builds on.', {
    operator: text('The name of the operator.'),
    version: text('A range of versions of the application: >=16 <17.'),
    operatorVersion: text('A range of versions of the package.'),
    repository: text('The repository in which it is looked up.'),
    path: text('A folder or .tgz, relative to this package.'),
  }),
  patches: list(
    'Changes of the objects that templates give.',
    map('', {
      template: text('The template of the object.', { names: 'templates' }),
      kind: text('The kind of the object.'),
      name: text('The name of the object, when the template has several.'),
      strategic: map('A part of the object.'),
      json: list(
        'Operations of a JSON patch.',
        map('', { op: text('add, remove, replace …'), path: text('/spec/replicas') }),
      ),
    }),
  ),
  upgradableFrom: map('Which versions may be upgraded to this one.', {
    operatorVersion: text('A range: >=1.0.0 <2.0.0.'),
    appVersion: text('A range: >=15.0.0.'),
  }),
  meter: list(
    'What usage counts beside Instances.',
    map('', {
      name: text('The name of the meter.'),
      unit: text('A word such as node-hours.'),
      value: text('A number, or a template.'),
    }),
  ),
  api: list('Kinds that the operator brings.', map('')),
  healthChecks: list('What the controller checks beyond readiness.', HEALTH_CHECK),
});

const PARAMETER = map('', {
  name: text('The name that templates use: .Params.NAME.'),
  displayName: text('The label in forms.'),
  description: text('What the parameter means, in a sentence.'),
  hint: text('What a value looks like.'),
  type: text('The type of the value. Without one it is a string.', {
    enum: ['string', 'integer', 'number', 'boolean', 'array', 'map', 'instance'],
  }),
  default: { description: 'The value of an Instance that sets none.' },
  required: flag('An Instance needs a value; true unless it says false.'),
  immutable: flag('The value cannot change after the install.'),
  trigger: text('The plan that a change starts.', { names: 'plans' }),
  enum: list('The only values that are allowed.', {}),
  group: text('The group of the form.', { names: 'groups' }),
  instance: map('Type instance: which Instances it may name.', {
    operator: text('The name of the operator.'),
    version: text('A range of versions of the application.'),
    operatorVersion: text('A range of versions of the operator.'),
  }),
  advanced: flag('Forms hide it first.'),
  secret: flag('The value is masked wherever it is shown.'),
  picker: text('What the value is chosen from.', { enum: [...PARAMETER_PICKERS] }),
});

const PARAMS: FileSchema = map('', {
  apiVersion: API_VERSION,
  groups: list(
    'Sections of the form.',
    map('', {
      name: text('The name that parameters use.'),
      displayName: text('The title of the section.'),
      description: text('What the section is about.'),
      prio: { type: 'integer', description: 'Smaller ones come first.' },
    }),
  ),
  parameters: list('The parameters of the operator.', PARAMETER),
});

/** The shape of a file of the package; undefined for templates and other files. */
export function fileSchemaOf(path: string): FileSchema | undefined {
  if (path === 'operator.yaml' || path === 'operator/operator.yaml') return OPERATOR;
  return path === 'params.yaml' || path === 'operator/params.yaml' ? PARAMS : undefined;
}
