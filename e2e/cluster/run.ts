import { parseArgs } from 'node:util';
import { systemClock } from '@/lib/clock/clock';
import { TerminalError } from '@/lib/errors/errors';
import { randomUuid, systemRandom } from '@/lib/random/random';
import { loadCluster } from '@/server/kube/credentials';
import { createApi } from '@/server/kube/http-api';
import { serverVersion } from '@/server/kube/server-version';
import { stopAll } from '@/test/programs/process';
import { runChecks } from './checks';
import { print, Report } from './report';

const USAGE = `npm run e2e:cluster -- --kubeconfig FILE [--context NAME] [--image IMAGE] [--shell-image IMAGE] [--keep]

Installs Bravo into namespaces of its own, runs and steers plans, signs in, opens a terminal, and checks roles, rights and webhook on a cluster of yours. Needs the rights of a
cluster administrator. Without --image, controller and console run on this machine with the accounts of the installation.
The terminal is opened in a pod of --shell-image (busybox:1.37.0 without it), which has sh and stty.
Everything that it made is deleted at the end, unless --keep is given.`;

/** The whole run. @returns the exit code: 0 when nothing failed, 1 when something did, 2 for wrong arguments */
export async function run(words: string[]): Promise<number> {
  const { values } = parseArgs({
    args: words,
    options: {
      kubeconfig: { type: 'string' },
      context: { type: 'string' },
      image: { type: 'string' },
      'shell-image': { type: 'string', default: 'busybox:1.37.0' },
      keep: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true || values.kubeconfig === undefined) {
    print(USAGE);
    return values.help === true ? 0 : 2;
  }
  const { kubeconfig, context, image } = values;
  const cluster = loadCluster({ kubeconfigPath: kubeconfig, context });
  const api = createApi(cluster, { clock: systemClock, userAgent: 'bravo-e2e' });
  const report = new Report();
  try {
    print(`Cluster ${cluster.name} at ${cluster.server}, ${(await serverVersion(api)) ?? 'of an unknown version'}`);
    const suffix = randomUuid(systemRandom).slice(0, 6);
    await runChecks({
      ...{ report, api, cluster, kubeconfig, context, image, shellImage: values['shell-image'] },
      keep: values.keep === true,
      started: [],
      home: `bravo-e2e-${suffix}`,
      work: `bravo-e2e-${suffix}-work`,
    });
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    print(`❌ ${error.message}`);
    return 1;
  } finally {
    await stopAll();
    await api.close();
  }
  return report.end();
}
