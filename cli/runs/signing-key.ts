import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { leaseNamespaceOf } from '@/server/controller/lease-namespace';
import { readPublishedKeys, SIGNING_KEYS_CONFIG_MAP } from '@/server/runs/run-signature';
import { withSession } from '../support/session';

interface SigningKeyFlags {
  readonly leaseNamespace?: string;
}

/** `bravo run signing-key [KEYID]`: the public key that signs runs, or an older one, as PEM on standard output. */
export function signingKeyCommand(): Command {
  return new Command('signing-key')
    .description('Print the public key that signs runs, for verify-snapshot --key')
    .argument('[keyid]', 'the key that a snapshot names, also an older one; the present one when absent')
    .option('--lease-namespace <name>', "namespace of the controllers' lease; that of the installation when absent")
    .action(async (keyId: string | undefined, flags: SigningKeyFlags, self: Command) => {
      await withSession(self, async ({ api, printLine }) => {
        const leaseNamespace = flags.leaseNamespace ?? (await leaseNamespaceOf(api));
        const { current, pemById } = await readPublishedKeys(api, leaseNamespace);
        const pem = pemById.get(keyId ?? current ?? '');
        if (pem !== undefined) return printLine(pem.trimEnd());
        const what = keyId === undefined ? 'does not say which key is the present one' : 'has no such key';
        throw new TerminalError(`ConfigMap ${leaseNamespace}/${SIGNING_KEYS_CONFIG_MAP} ${what}.`, 'NotFound');
      });
    });
}
