import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '@/test/engine/https-engine';
import { freePort, projectRoot, startProgram, stopAll, temporaryFolder } from '@/test/programs/process';

/** Debian's packages `prometheus`; the tests that need it are skipped where it is not installed. */
const PROMETHEUS = '/usr/bin/prometheus';
const PROMTOOL = '/usr/bin/promtool';
const isMissing = !existsSync(PROMETHEUS) || !existsSync(PROMTOOL);
if (isMissing)
  process.stderr.write(`Skipped: rules and scrape need ${PROMETHEUS} and ${PROMTOOL} (apt install prometheus).\n`);

const MONITORING = join(projectRoot, 'deploy/monitoring');
const folder = temporaryFolder('monitoring');
const rulesFile = join(folder, 'rules.yaml');
let metricsPort = 0;

beforeAll(async () => {
  writeFileSync(rulesFile, rulesOf(readFileSync(join(MONITORING, 'prometheus-rule.yaml'), 'utf8')));
  writeFileSync(join(folder, 'rules-test.yaml'), readFileSync(join(MONITORING, 'rules-test.yaml')));
  const kubeconfig = join(folder, 'kubeconfig');
  const sandbox = startProgram('bin/bravo', [
    ...['sandbox', '--port', String(await freePort()), '--data-dir', join(folder, 'data')],
    ...['--write-kubeconfig', kubeconfig, '--pod-delay', '0'],
  ]);
  await sandbox.printed('The sandbox serves');
  metricsPort = await freePort();
  const environment = { BRAVO_METRICS_PORT: String(metricsPort) };
  const controller = startProgram(
    'bin/bravo',
    ['controller', '--install-crds', '--kubeconfig', kubeconfig],
    environment,
  );
  await controller.printed('lease.held');
}, 180_000);
afterAll(stopAll);

/** The `spec` of the PrometheusRule, which is a file of rules. */
function rulesOf(text: string): string {
  return text.slice(text.indexOf('spec:\n') + 'spec:\n'.length).replace(/^ {2}/gm, '');
}

function read(port: number, path: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    }).on('error', reject);
  });
}

function promtool(words: readonly string[], input?: string) {
  const { status, stdout, stderr } = spawnSync(PROMTOOL, words, { cwd: folder, input, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

describe('metrics of a controller process', () => {
  it('are served with the lease, the queue and the requests, and nothing else is', async () => {
    const { status, text } = await read(metricsPort, '/metrics');
    expect(status).toBe(200);
    expect(text).toContain('bravo_leader{part="controller"} 1');
    expect(text).toContain('workqueue_depth{name="instances",controller="bravo",part="controller"} 0');
    expect(text).toMatch(/bravo_api_requests_total\{verb="watch",code="200",part="controller"\} \d/);
    expect(text).toMatch(/^process_start_time_seconds/m);
    expect((await read(metricsPort, '/healthz')).text).toBe('ok\n');
    expect((await read(metricsPort, '/secrets')).status).toBe(404);
  });

  it('say where they can be served when the port is taken, and the controller goes on', async () => {
    const other = startProgram('bin/bravo', ['controller', '--kubeconfig', join(folder, 'kubeconfig')], {
      BRAVO_METRICS_PORT: String(metricsPort),
    });
    await other.printed('controller.started');
    expect(other.output()).toContain(`Metrics are not served: 127.0.0.1:${metricsPort} cannot be used`);
    expect(other.output()).toContain('Choose another port with BRAVO_METRICS_PORT');
    await other.stop();
  });

  it.skipIf(isMissing)('have no mistake that promtool knows', async () => {
    const { text } = await read(metricsPort, '/metrics');
    const ours = promtool(['check', 'metrics'], text)
      .output.split('\n')
      .filter((line) => /^(bravo|workqueue)_/.test(line));
    expect(ours).toEqual([]);
  });
});

describe('SIGUSR2', () => {
  const start = async (more: { readonly [name: string]: string }) => {
    const words = ['controller', '--kubeconfig', join(folder, 'kubeconfig')];
    const controller = startProgram('bin/bravo', words, { BRAVO_PROFILE_DIR: join(folder, 'profiles'), ...more });
    await controller.printed('controller.started');
    return controller;
  };

  it('does not end a controller that writes no profiles, and the log says how to turn them on', async () => {
    const controller = await start({});
    controller.child.kill('SIGUSR2');
    await controller.printed('start with BRAVO_PROFILES=on');
    expect((await controller.stop()).code).toBe(0);
    expect(existsSync(join(folder, 'profiles'))).toBe(false);
  });

  it('writes a CPU profile and a heap snapshot for their owner alone', async () => {
    const controller = await start({ BRAVO_PROFILES: 'on' });
    controller.child.kill('SIGUSR2');
    await controller.printed('profile.written');
    const files = readdirSync(join(folder, 'profiles'));
    expect(files.map((name) => name.split('.').at(-1)).sort()).toEqual(['cpuprofile', 'heapsnapshot']);
    for (const name of files) expect(statSync(join(folder, 'profiles', name)).mode & 0o777).toBe(0o600);
    await controller.stop();
  });
});

describe.skipIf(isMissing)('the alerts', () => {
  it('are rules that promtool accepts', () => {
    expect(promtool(['check', 'rules', rulesFile])).toMatchObject({ status: 0 });
  });

  it('fire when they should, and only then', () => {
    expect(promtool(['test', 'rules', 'rules-test.yaml'])).toMatchObject({ status: 0 });
  });

  it('are evaluated by a Prometheus that scrapes the controller', async () => {
    const port = await freePort();
    const config = join(folder, 'prometheus.yaml');
    writeFileSync(
      config,
      `global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: ['${rulesFile}']
scrape_configs:
  - job_name: bravo
    honor_labels: true
    static_configs: [{targets: ['127.0.0.1:${metricsPort}']}]
`,
    );
    const prometheus = startProgram(PROMETHEUS, [
      ...[`--config.file=${config}`, `--storage.tsdb.path=${join(folder, 'tsdb')}`],
      `--web.listen-address=127.0.0.1:${port}`,
    ]);
    await prometheus.printed('Server is ready to receive web requests');
    const query = async (expression: string): Promise<unknown> => {
      const { text } = await read(port, `/api/v1/query?query=${encodeURIComponent(expression)}`);
      return JSON.parse(text).data?.result[0]?.value?.[1];
    };
    await eventually('a scrape', async () => (await query('max(bravo_leader)')) === '1');
    expect(await query('count(up == 1)')).toBe('1');
    await eventually('an evaluation', async () => (await query('count(ALERTS{alertname="BravoConsoleDown"})')) === '1');
    expect(await query('count(ALERTS{alertname="BravoNoLeader"})')).toBeUndefined();
    await prometheus.stop();
  }, 60_000);
});
