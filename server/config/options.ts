import { TerminalError } from '@/lib/errors/errors';

type Environment = { readonly [name: string]: string | undefined };

/**
 * The environment with what the options of `npm start` add to it: `--sign-in` is BRAVO_AUTH=token.
 *
 * @throws TerminalError for another option, or one that contradicts the environment
 */
export function withOptions<E extends Environment>(environment: E, argv: readonly string[]): E {
  const unknown = argv.find((option) => option !== '--sign-in');
  if (unknown !== undefined) {
    throw new TerminalError(
      `${unknown} is not an option. There is --sign-in; settings are in docs/guide/settings.md.`,
      'BadOption',
    );
  }
  if (argv.length === 0) return environment;
  const { BRAVO_AUTH: mode = '' } = environment;
  if (mode !== '' && mode !== 'token') {
    throw new TerminalError(
      `--sign-in is BRAVO_AUTH=token, and BRAVO_AUTH is ${mode}. Leave one of them out.`,
      'BadOption',
    );
  }
  return { ...environment, BRAVO_AUTH: 'token' };
}
