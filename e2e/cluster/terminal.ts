import { WebSocket } from 'ws';
import { CHANNELS, channelFrame, readTerminalEnd, sizeFrame, TERMINAL_PROTOCOL } from '@/lib/terminal/channels';
import { terminalPath } from '@/lib/terminal/target';
import { eventually } from '@/test/engine/https-engine';
import { bindAccount, createAccount, tokenOf } from './account';
import { type StartedConsole, signIn } from './console';
import type { Context } from './context';
import { Skipped } from './report';

const POD = 'terminal';
const CONTAINER = 'main';
const RUNS_WITHIN_MS = 120_000;
const ENDS_WITHIN_MS = 60_000;
const [COLUMNS, ROWS] = [101, 33];

/** A terminal in a container through the console: by whom may open one, and by whom may not. */
export async function checkTerminal(context: Context, console: StartedConsole): Promise<void> {
  const { report, api, work, shellImage } = context;
  const cookiesOf = async (account: string) => signIn(console, await tokenOf(api, work, account));
  await report.check('a terminal: what is typed runs in the container', async () => {
    await startPod(context);
    await createAccount(api, work, 'operator');
    await bindAccount(api, work, 'operator', 'edit');
    const { output, exitCode, message } = await typeInto(console, await cookiesOf('operator'), {
      work,
      text: 'stty size; echo "$((6 * 7)) in $(hostname)"; exit 3\n',
    });
    if (!output.includes(`42 in ${POD}`)) throw new Error(`the terminal shows ${JSON.stringify(output)} ${message}`);
    if (!output.includes(`${ROWS} ${COLUMNS}`)) throw new Error(`the size is not ${ROWS} ${COLUMNS}: ${output}`);
    if (exitCode !== 3) throw new Error(`exit code ${exitCode} instead of 3: ${message}`);
    return `image ${shellImage}`;
  });
  await report.check('a terminal is refused without the right to create pods/exec', async () => {
    const { message, exitCode, output } = await typeInto(console, await cookiesOf('reader'), { work, text: 'id\n' });
    if (output !== '' || exitCode !== undefined) throw new Error(`the terminal shows ${JSON.stringify(output)}`);
    if (!message.includes('pods/exec')) throw new Error(`the refusal does not name the right: ${message}`);
  });
}

/** @throws Skipped where the image cannot be pulled */
async function startPod({ api, work, shellImage }: Context): Promise<void> {
  const pods = { group: '', version: 'v1', resource: 'pods', namespace: work };
  await api.create(pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: POD, namespace: work },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [{ name: CONTAINER, image: shellImage, command: ['sleep', '100000'] }],
    },
  });
  const phase = async () => {
    const { phase: now } = ((await api.get({ ...pods, name: POD }))?.status ?? {}) as { phase?: string };
    return now === 'Running' ? now : undefined;
  };
  await eventually(`pod ${POD} runs`, phase, RUNS_WITHIN_MS).catch((error: unknown) => {
    throw new Skipped(`no pod of image ${shellImage} runs (${String(error)}); name another one with --shell-image`);
  });
}

interface Typed {
  readonly output: string;
  readonly exitCode: number | undefined;
  /** Why the command did not run. */
  readonly message: string;
}

/** Opens a terminal as the pages do, types a text, and waits for the end. */
function typeInto(
  { base }: StartedConsole,
  cookies: string,
  { work, text }: { readonly work: string; readonly text: string },
): Promise<Typed> {
  const path = terminalPath({ namespace: work, pod: POD, container: CONTAINER, command: ['sh'] });
  const socket = new WebSocket(`${base.replace(/^http/, 'ws')}${path}`, TERMINAL_PROTOCOL, {
    headers: { cookie: cookies, origin: base },
  });
  let output = '';
  let end: Omit<Typed, 'output'> = { exitCode: undefined, message: 'the console closed the connection' };
  socket.on('message', (data: Buffer) => {
    const payload = data.subarray(1);
    if (data[0] === CHANNELS.notice) {
      socket.send(sizeFrame(COLUMNS, ROWS));
      socket.send(channelFrame(CHANNELS.input, Buffer.from(text)));
    }
    if (data[0] === CHANNELS.output) output += payload.toString();
    if (data[0] === CHANNELS.status) end = readTerminalEnd(payload);
  });
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      socket.terminate();
      reject(new Error(`the command did not end within ${ENDS_WITHIN_MS / 1_000} s; the terminal shows ${output}`));
    }, ENDS_WITHIN_MS);
    socket.once('error', reject);
    socket.once('close', () => {
      clearTimeout(late);
      resolve({ output, ...end });
    });
  });
}
