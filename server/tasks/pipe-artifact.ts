import { TransientError } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import type { PipeSpec } from '@/lib/kudo/types';
import { baseName } from './pipe-pod';

/** The Secret or ConfigMap that holds what a pipe copied. */
export function pipeArtifact(entry: PipeSpec, name: string, bytes: Uint8Array): KubeObject {
  const isSecret = entry.kind === 'Secret';
  const content = Buffer.from(bytes);
  const metadata = { name };
  if (entry.envFile !== undefined && entry.envFile !== '') {
    const lines = parseEnvFile(content.toString('utf8'));
    const encoded = [...lines].map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
    return isSecret
      ? { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data: Object.fromEntries(encoded) }
      : { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: Object.fromEntries(lines) };
  }
  const data = { [baseName(entry.file ?? '')]: content.toString('base64') };
  return isSecret
    ? { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data }
    : { apiVersion: 'v1', kind: 'ConfigMap', metadata, binaryData: data };
}

const ENV_KEY = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

/**
 * `KEY=VALUE` lines: leading blanks are cut, empty lines and `#` lines are skipped, the value is kept as it is.
 * @throws TransientError for any other line (KUDO retries: the file may be incomplete)
 */
export function parseEnvFile(text: string): Map<string, string> {
  const entries = new Map<string, string>();
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  for (const [index, raw] of lines.entries()) {
    const line = raw.replace(/\r$/, '').trimStart();
    if (line === '' || line.startsWith('#')) continue;
    const equals = line.indexOf('=');
    const key = equals < 0 ? line : line.slice(0, equals);
    const isUsable = equals >= 0 && ENV_KEY.test(key) && key !== '.' && !key.startsWith('..');
    if (!isUsable) throw new TransientError(`line ${index + 1} of the env file is not KEY=VALUE`, 'InvalidEnvFile');
    entries.set(key, line.slice(equals + 1));
  }
  return entries;
}
