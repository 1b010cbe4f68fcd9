import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { messageOf } from '@/lib/errors/errors';
import type { JsonValue } from '@/lib/json/json';
import { canonicalYaml } from '@/lib/kudo/rendering/canonical-yaml';

const compress = promisify(gzip);

/** The folder of a collection. A file that cannot be written is remembered in `failures`, and the rest goes on. */
export class Bundle {
  readonly failures: string[] = [];

  constructor(private readonly folder: string) {}

  async writeYaml(path: string, value: unknown): Promise<void> {
    const json: JsonValue = JSON.parse(JSON.stringify(value));
    await this.write(path, canonicalYaml(json));
  }

  async writeError(path: string, error: unknown): Promise<void> {
    await this.write(path, messageOf(error));
  }

  async writeLog(path: string, log: Uint8Array): Promise<void> {
    await this.write(path, await compress(log));
  }

  private async write(path: string, content: string | Uint8Array): Promise<void> {
    const target = join(this.folder, path);
    try {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await writeFile(target, content, { mode: 0o600 });
    } catch (error) {
      this.failures.push(messageOf(error));
    }
  }
}
