import { TerminalError } from '@/lib/errors/errors';
import { dnsLabelProblems } from '@/lib/kube/label-syntax';

type Environment = { readonly [name: string]: string | undefined };

/**
 * The only namespaces that this process reads (`BRAVO_NAMESPACES`, names with commas between them); empty for all. Set where the
 * account has Roles in some namespaces and no ClusterRole.
 *
 * @throws TerminalError with one sentence
 */
export function readNamespaces(environment: Environment): readonly string[] {
  const text = environment.BRAVO_NAMESPACES ?? '';
  if (text === '') return [];
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const wrong = names.find((name) => dnsLabelProblems(name).length > 0);
  if (wrong === undefined) return names;
  throw new TerminalError(
    `BRAVO_NAMESPACES: "${wrong}" is no name of a namespace; give names with commas between them, as team-a,team-b.`,
    'InvalidSettings',
  );
}
