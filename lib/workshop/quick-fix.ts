import { FRESH_PACKAGE, newPackageFiles } from '@/lib/kudo/package/new-package';
import { OPERATOR_FILE, PARAMS_FILE, type PackageFiles, type PackageProblem } from '@/lib/kudo/package/types';
import { withFile, withoutFile } from './draft-files';
import { appendItem, quoteValue, removeNamed, writtenValue } from './yaml-edits';

/** What a button beside a problem does. */
export interface QuickFix {
  readonly title: string;
  /** The files without the problem; the same files when they cannot be changed that way, e.g. because the YAML is broken. */
  apply(files: PackageFiles): PackageFiles;
}

type FixOf = (subject: string) => QuickFix;

const edit = (title: string, path: string, change: (text: string) => string): QuickFix => ({
  title,
  apply: (files) => withFile(files, path, change(files.get(path) ?? '')),
});

const STARTER = (name: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-${name}\ndata:\n  key: value\n`;

/** By the rule of the problem. */
const FIXES: { readonly [rule: string]: FixOf } = {
  'unused-parameter': (name) =>
    edit(`Remove parameter ${name}`, PARAMS_FILE, (text) => removeNamed(text, 'parameters', name)),
  'undefined-parameter': (name) =>
    edit(`Add parameter ${name} to params.yaml`, PARAMS_FILE, (text) =>
      appendItem(text, 'parameters', { name, type: 'string', default: '' }),
    ),
  'undefined-group': (name) =>
    edit(`Add group ${name} to params.yaml`, PARAMS_FILE, (text) => appendItem(text, 'groups', { name })),
  'unused-task': (name) => edit(`Remove task ${name}`, OPERATOR_FILE, (text) => removeNamed(text, 'tasks', name)),
  'undefined-task': (name) =>
    edit(`Add task ${name}`, OPERATOR_FILE, (text) =>
      appendItem(text, 'tasks', { name, kind: 'Dummy', spec: { done: true } }),
    ),
  'missing-template': (key) => ({
    title: `Create templates/${key}`,
    apply: (files) => withFile(files, `templates/${key}`, STARTER(nameFrom(key))),
  }),
  'unused-template': (key) => ({
    title: `Delete templates/${key}`,
    apply: (files) => withoutFile(files, `templates/${key}`),
  }),
  'missing-version': (field) =>
    edit(`Set ${field}`, OPERATOR_FILE, (text) =>
      quoteValue(text, field, field === 'kubernetesVersion' ? FRESH_PACKAGE.kubernetesVersion : '0.1.0'),
    ),
  'version-as-number': (field) =>
    edit(`Put ${field} in quotes`, OPERATOR_FILE, (text) => quoteValue(text, field, writtenValue(text, field) ?? '')),
  'missing-file': (path) => ({
    title: `Create ${path}`,
    apply: (files) => withFile(files, path, newPackageFiles({ ...FRESH_PACKAGE, name: 'my-operator' }).get(path) ?? ''),
  }),
};

/** How a problem can be fixed by one click; undefined for those that need a decision. */
export function quickFixOf({ rule = '', subject }: PackageProblem): QuickFix | undefined {
  const fix = Object.hasOwn(FIXES, rule) ? FIXES[rule] : undefined;
  if (fix === undefined || subject === undefined) return undefined;
  const { title, apply } = fix(subject);
  return { title, apply: (files) => applied(apply, files) };
}

function applied(apply: QuickFix['apply'], files: PackageFiles): PackageFiles {
  try {
    return apply(files);
  } catch {
    // appendItem refuses a text that is no YAML; its problem is shown already.
    return files;
  }
}

/** A part of an object's name, made of a template's key. */
function nameFrom(key: string): string {
  return key
    .replace(/\.yaml$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
}
