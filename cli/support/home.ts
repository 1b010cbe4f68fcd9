import { homedir } from 'node:os';
import { join } from 'node:path';

export interface HomeFlags {
  readonly home?: string;
}

/** KUDO's home: `--home`, else `KUDO_HOME`, else `~/.kudo`; environment variables in it are expanded. */
export function homeFolder({ home }: HomeFlags): string {
  const chosen = home || process.env.KUDO_HOME || join(homedir(), '.kudo');
  return chosen.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_all, braced?: string, plain?: string) => {
    return process.env[braced ?? plain ?? ''] ?? '';
  });
}

/** The file of the repositories below a home. */
export function repositoriesFile(home: string): string {
  return join(home, 'repository', 'repositories.yaml');
}
