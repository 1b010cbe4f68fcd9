import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import {
  readSnapshotHead,
  type SnapshotHead,
  signedSnapshotProblem,
  snapshotProblem,
} from '@/lib/kudo/snapshot/snapshot';
import { limits } from '@/lib/limits/limits';
import { leaseNamespaceOf } from '@/server/controller/lease-namespace';
import { keyIdOfPem, type PublicKeys, publicKeys, readPublishedKeys } from '@/server/runs/run-signature';
import { productVersion } from '@/server/runtime/root';
import { printLine } from '../support/print-line';
import { withSession } from '../support/session';
import { snapshotSourceOf } from './snapshot-source-of';

interface VerifyFlags {
  readonly key?: string;
  readonly leaseNamespace?: string;
}

interface Snapshot {
  readonly file: string;
  readonly text: string;
  readonly head: SnapshotHead;
}

/**
 * `bravo run verify-snapshot FILE`: checks a snapshot of a signed run with a public key, of a file or of the cluster, and one of a run that is
 * not signed by comparing it with the cluster.
 */
export function verifySnapshotCommand(): Command {
  return new Command('verify-snapshot')
    .description('Check that nothing in a snapshot of a run was changed')
    .argument('<file>', 'the snapshot')
    .option('--key <file>', 'the public key that signed it (PEM); the cluster is then not asked')
    .option('--lease-namespace <name>', "namespace of the controllers' lease, which has the public keys")
    .action(async (file: string, { key, leaseNamespace }: VerifyFlags, self: Command) => {
      const snapshot = await readSnapshot(file);
      if (key !== undefined) return verifySigned(snapshot, await readKey(key));
      await withSession(self, async (session) => {
        if (snapshot.head.signature !== undefined) {
          const { pemById } = await readPublishedKeys(
            session.api,
            leaseNamespace ?? (await leaseNamespaceOf(session.api)),
          );
          return verifySigned(snapshot, publicKeys([...pemById.values()]));
        }
        refuse(snapshotProblem(snapshot.text, snapshot.head, await snapshotSourceOf(session, snapshot.head)));
        printLine(
          `${file} is what the cluster says about ${placeOf(snapshot)}. No signature: the run is not signed (${digestOf(snapshot)}).`,
        );
      });
    });
}

function verifySigned(snapshot: Snapshot, keys: PublicKeys): void {
  const { file, text, head } = snapshot;
  refuse(signedSnapshotProblem(text, head, { keys, version: productVersion }));
  const { keyId = '' } = head.signature ?? {};
  printLine(
    `${file} is what the controller signed about ${placeOf(snapshot)}, with key ${keyId} (${digestOf(snapshot)}).`,
  );
}

/** @throws TerminalError `NotVerified` */
function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new TerminalError(problem, 'NotVerified');
}

function placeOf({ head: { namespace, name } }: Snapshot): string {
  return `run ${namespace}/${name}`;
}

function digestOf({ text }: Snapshot): string {
  return `SHA-256 ${createHash('sha256').update(text).digest('hex')}`;
}

/** @throws TerminalError `NotFound`, `Invalid` */
async function readKey(file: string): Promise<PublicKeys> {
  const pem = (await readBytes(file, limits.publicKeyBytes)).toString('utf8');
  if (keyIdOfPem(pem) === undefined) {
    throw new TerminalError(
      `${file} holds no Ed25519 public key in PEM. bravo run signing-key prints the one of a cluster.`,
      'Invalid',
    );
  }
  return publicKeys([pem]);
}

/** @throws TerminalError `NotFound`, `Invalid` for a file that is too large, or no snapshot */
async function readSnapshot(file: string): Promise<Snapshot> {
  const bytes = await readBytes(file, limits.snapshotBytes);
  const text = bytes.toString('utf8');
  const head = readSnapshotHead(text);
  // Bytes that are no UTF-8 are read as another text, which could be the right one.
  if (head === undefined || !Buffer.from(text).equals(bytes)) {
    throw new TerminalError(`${file} is not a snapshot of a run`, 'Invalid');
  }
  return { file, text, head };
}

async function readBytes(file: string, mostBytes: number): Promise<Buffer> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) throw new TerminalError(`file ${file} does not exist`, 'NotFound');
  if (found.size > mostBytes) throw new TerminalError(`${file} is too large: more than ${mostBytes} bytes`, 'Invalid');
  return readFile(file);
}
