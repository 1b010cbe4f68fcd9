import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type JsonObject, stringAt } from '@/lib/json/json';
import { CHANNELS, channelFrame, readTerminalEnd, sizeFrame } from '@/lib/terminal/channels';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { PODS } from '@/test/node/resources';
import { execByRunc, processes } from './runc-exec';

const WAIT = 'trap "exit 0" TERM; sleep 100000 & wait';
/** Everything that a process has from who started it. */
const REPORT = `grep -E '^(Umask|Uid|Gid|Groups|Cap|NoNewPrivs|Seccomp|Sig(Blk|Ign)|Cpus_allowed_list)' /proc/self/status
  cat /proc/self/cgroup /proc/self/limits /proc/self/oom_score_adj; env | sort; pwd; ls /proc/self/fd
  for each in cgroup ipc mnt net pid user uts; do readlink /proc/self/ns/$each; done; echo end > /dev/stdout`;
const STDIN = Buffer.from([0]);
const CLOSE_STDIN = Buffer.from([255, 0]);
const STDOUT = 1;

/** Commands beside the program of a container, which the node agent starts without runc. */
describe('a command in a container', () => {
  let cluster: RealCluster;
  const target = (name: string) => ({ ...PODS, namespace: 'default', name });
  const start = (name: string, container: JsonObject = {}, spec: JsonObject = {}) => {
    const main = { name: 'main', image: 'busybox:1.37.0', command: ['sh', '-c', WAIT], ...container };
    return cluster.startPod(name, { containers: [main], ...spec });
  };

  beforeAll(async () => {
    cluster = await startRealCluster();
  });
  afterAll(() => cluster?.stop());

  it.each([
    ['user', { runAsUser: 1000, runAsGroup: 2000, capabilities: { drop: ['ALL'], add: ['KILL'] } }],
    ['root', { allowPrivilegeEscalation: true }],
  ])('of %s has the rights, control groups, limits and variables that runc gives it', async (name, own) => {
    const env = [
      { name: 'SAID', value: 'one=two\nthree' },
      { name: 'EMPTY', value: '' },
    ];
    const securityContext = { allowPrivilegeEscalation: false, ...own };
    const groups = { securityContext: { fsGroup: 3000, supplementalGroups: [4000] } };
    await start(name, { securityContext, env, workingDir: '/tmp' }, groups);
    const { metadata } = await cluster.podReady(name);
    const byRunc = (...command: readonly string[]) => execByRunc(`${metadata.uid}-main-0`, command);
    const { output } = await byRunc('sh', '-c', REPORT);
    expect(output).toContain('3000 4000');
    expect(output).toMatch(/\nend\n$/);
    expect(await cluster.exec(name, 'sh', '-c', REPORT)).toBe(output);
    const ends: readonly (readonly [readonly string[], number])[] = [
      [['sh', '-c', 'exit 3'], 3],
      [['sh', '-c', 'kill -9 $$'], 137],
      [['no-such-program'], 255],
    ];
    for (const [command, code] of ends) {
      expect((await byRunc(...command)).code).toBe(code);
      await expect(cluster.exec(name, ...command)).rejects.toThrow(`xit code ${code}`);
    }
  });

  it('reads all of its input', async () => {
    await start('reader');
    const pod = await cluster.podReady('reader');
    const words = ['sh', '-c', 'sleep 1; wc -c'].map((word) => `&command=${encodeURIComponent(word)}`).join('');
    const url = `wss://${stringAt(pod, 'status', 'hostIP')}:10250/exec/default/reader/main?input=1${words}`;
    const socket = new WebSocket(url, 'v4.channel.k8s.io', { rejectUnauthorized: false });
    let output = '';
    socket.on('message', (data: Buffer) => {
      if (data[0] === STDOUT) output += data.subarray(1).toString();
    });
    socket.once('open', () => {
      for (let n = 0; n < 64; n++) socket.send(Buffer.concat([STDIN, Buffer.alloc(32 * 1024, 'x')]));
      socket.send(CLOSE_STDIN);
    });
    await new Promise((resolve, reject) => socket.once('close', resolve).once('error', reject));
    expect(output.trim()).toBe(String(64 * 32 * 1024));
  });

  it('has a terminal with the size of the client, and follows it', async () => {
    await start('terminal');
    await cluster.podReady('terminal');
    const { signal } = new AbortController();
    const terminal = await cluster.api.openTerminal(target('terminal'), { container: 'main', command: ['sh'], signal });
    let output = '';
    let end: ReturnType<typeof readTerminalEnd> | undefined;
    const reading = (async () => {
      for await (const message of terminal.messages) {
        if (message[0] === CHANNELS.output) output += Buffer.from(message.subarray(1)).toString();
        if (message[0] === CHANNELS.status) end = readTerminalEnd(message.subarray(1));
      }
    })();
    const type = (text: string) => terminal.send(channelFrame(CHANNELS.input, Buffer.from(text)));
    terminal.send(sizeFrame(101, 33));
    type('stty size; tty\n');
    await cluster.until(async () => expect(output).toContain('/dev/pts/'));
    expect(output).toContain('33 101\r\n');
    terminal.send(sizeFrame(120, 40));
    // The size reaches the container a moment after it was sent.
    await cluster.until(async () => {
      type('stty size\n');
      expect(output).toContain('40 120\r\n');
    });
    type('exit 5\n');
    await reading;
    expect(end).toEqual({ exitCode: 5, message: '' });
  });

  it('is killed when its client goes', async () => {
    await start('left');
    const mark = `${process.pid}777`;
    const running = () => processes().filter(({ commandLine }) => commandLine === `sleep\0${mark}\0`).length;
    const client = new AbortController();
    const options = { command: ['sleep', mark], signal: client.signal, maxBytes: 1_000 };
    const endless = cluster.api.exec(target('left'), options).catch(() => 'ended');
    await cluster.until(async () => expect(running()).toBe(1));
    client.abort();
    expect(await endless).toBe('ended');
    await cluster.until(async () => expect(running()).toBe(0));
  });
});
