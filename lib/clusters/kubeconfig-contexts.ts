import { arrayAt, stringAt } from '@/lib/json/json';
import { readYaml } from '@/lib/yaml/yaml';

/** What a kubeconfig offers to choose from, or why it cannot be read. */
export interface KubeconfigContexts {
  /** The names of its contexts, in the order of the file. */
  readonly contexts: readonly string[];
  readonly current: string | undefined;
  /** One sentence, with the line; undefined when the text is a kubeconfig with contexts. */
  readonly problem: string | undefined;
}

/** Reads the contexts of the text of a kubeconfig. The server checks the rest of it. */
export function kubeconfigContexts(text: string): KubeconfigContexts {
  const none = { contexts: [], current: undefined };
  const read = readYaml(text);
  if (!read.ok) {
    const [first] = read.problems;
    return { ...none, problem: `Line ${first?.line ?? 1}: ${first?.message ?? 'the text is not YAML.'}` };
  }
  if (stringAt(read.value, 'kind') !== 'Config')
    return { ...none, problem: 'This is not a kubeconfig: its kind is not Config.' };
  const contexts = arrayAt(read.value, 'contexts').flatMap((each) => stringAt(each, 'name') ?? []);
  if (contexts.length === 0)
    return { ...none, problem: 'The kubeconfig has no contexts. Add one with kubectl config.' };
  const named = stringAt(read.value, 'current-context');
  return { contexts, current: contexts.find((name) => name === named) ?? contexts[0], problem: undefined };
}
