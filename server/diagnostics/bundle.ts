import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { messageOf } from '@/lib/errors/errors';
import type { JsonValue } from '@/lib/json/json';
import { canonicalYaml } from '@/lib/kudo/rendering/canonical-yaml';
import type { Redactor } from './redactor';

const compress = promisify(gzip);

/** Where the files of a collection go. @throws for a file that cannot be written */
export type WriteFile = (path: string, content: string | Uint8Array) => Promise<void>;

/**
 * The files of a collection. Everything is written through the redactor. A file that cannot be written is recorded in
 * `failures`, and the collection continues.
 */
export class Bundle {
  readonly failures: string[] = [];

  constructor(
    private readonly writeFile: WriteFile,
    private readonly redactor: Redactor,
  ) {}

  async writeYaml(path: string, value: unknown): Promise<void> {
    const json: JsonValue = JSON.parse(JSON.stringify(value));
    await this.write(path, canonicalYaml(this.redactor.value(json)));
  }

  async writeJson(path: string, value: JsonValue | undefined): Promise<void> {
    await this.write(path, `${JSON.stringify(this.redactor.value(value ?? null), null, 2)}\n`);
  }

  async writeError(path: string, error: unknown): Promise<void> {
    await this.write(path, this.redactor.text(messageOf(error)));
  }

  async writeLog(path: string, log: Uint8Array): Promise<void> {
    await this.write(path, await compress(this.redactor.log(log)));
  }

  private async write(path: string, content: string | Uint8Array): Promise<void> {
    try {
      await this.writeFile(path, content);
    } catch (error) {
      this.failures.push(messageOf(error));
    }
  }
}
