import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterEach, beforeEach } from 'vitest';

/** An operator.yaml whose deploy plan completes immediately; `tasks` are more tasks as lines of YAML. */
export const OPERATOR = (name: string, version = '0.0.1', tasks = '') => `name: ${name}
operatorVersion: "${version}"
kubernetesVersion: "1.16"
tasks:
- {name: done, kind: Dummy, spec: {done: true}}
${tasks}
plans:
  deploy: {strategy: serial, phases: [{name: main, strategy: serial, steps: [{name: s, tasks: [done]}]}]}
`;

export const PARAMS = { name: 'params.yaml', text: 'parameters: []\n' };

export interface PackageFolder {
  /** The folder of the running test. */
  readonly path: string;
  write(files: { [path: string]: string }): Promise<void>;
}

/** A folder of its own for each test of the file. */
export function packageFolder(): PackageFolder {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bravo-packages-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return {
    get path() {
      return folder;
    },
    async write(files) {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(join(folder, path, '..'), { recursive: true });
        await writeFile(join(folder, path), text);
      }
    },
  };
}

/** A gzipped tar of these entries. */
export async function archiveOf(
  entries: { name: string; text?: string; type?: 'file' | 'directory' | 'symlink' }[],
): Promise<Uint8Array> {
  const tar = pack();
  for (const { name, text = '', type = 'file' } of entries) {
    tar.entry({ name, type, ...(type === 'symlink' ? { linkname: '/etc/passwd' } : {}) }, type === 'file' ? text : '');
  }
  tar.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar) chunks.push(chunk as Uint8Array);
  return gzipSync(Buffer.concat(chunks));
}
