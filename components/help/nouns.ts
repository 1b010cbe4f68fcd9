/** The words of the product, a line each; docs/glossary.md has the same ones. */
export const nouns: readonly (readonly [noun: string, meaning: string])[] = [
  ['Operator', 'The name and description of a piece of software that Bravo can run, for example postgres.'],
  ['OperatorVersion', 'One version of an operator: its plans, tasks, templates and parameters.'],
  ['Instance', 'One installation of an OperatorVersion in a namespace, with its own parameters.'],
  ['Parameter', 'A named setting of an Instance. A change of it starts the plan that the operator names.'],
  ['Plan', 'A procedure of the operator, such as deploy or backup, in phases. A destructive plan has to be confirmed.'],
  ['Phase', 'A part of a plan. Its steps run in order (serial) or in parallel.'],
  ['Step', 'A part of a phase: one or more tasks. It ends when the objects of its tasks are ready.'],
  ['Task', 'One action of a step, for example to apply or to delete objects.'],
  ['Run', 'One execution of a plan, with its parameters, its steps and its result.'],
  [
    'Package',
    'The files that define an operator: operator.yaml, params.yaml and templates, as a folder or an archive.',
  ],
  ['Repository', 'A server that lists packages, so that they can be found and installed by name.'],
  [
    'Drift, self-heal',
    'Drift: an object differs from what the last plan applied. Self-heal: the controller restores it.',
  ],
];
