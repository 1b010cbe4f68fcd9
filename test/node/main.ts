import { parseArgs } from 'node:util';
import { startAgent } from './agent';

/**
 * The program of the node agent. It ends with SIGINT, SIGTERM, or with its standard input, so that it does not outlive the program
 * that started it.
 */
const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    node: { type: 'string' },
    'restart-backoff': { type: 'string' },
  },
});
if (values.kubeconfig === undefined) {
  console.error('Usage: npm run node-agent -- --kubeconfig K [--node NAME] [--restart-backoff SECONDS]');
  process.exit(2);
}
const ended = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  process.stdin.once('end', () => resolve());
  process.stdin.once('close', () => resolve());
  process.stdin.resume();
});
const agent = await startAgent({
  kubeconfigPath: values.kubeconfig,
  nodeName: values.node ?? 'real',
  restartBackoffMs: Number(values['restart-backoff'] ?? 10) * 1_000,
});
console.log('The node is ready.');
await ended;
await agent.stop();
process.exit(0);
