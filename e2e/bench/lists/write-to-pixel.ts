import type { Page } from 'playwright';
import { type Figure, figure, percentile } from '../figure';

const PROBES = 100;
/** Writes to other Instances at the same time, as in a busy cluster. */
const EVENTS_A_SECOND = 50;
const NOT_READY = { type: 'Ready', status: 'False', reason: 'Probe', lastTransitionTime: '2026-01-01T00:00:00Z' };
const TYPE = { 'content-type': 'application/merge-patch+json' };

/**
 * Milliseconds from sending a write to the frame in which the list of Instances shows it, while the list changes 50 times a second. It
 * patches the Ready message of the Instance in view at irregular times. Both ends use the clock of this machine.
 *
 * @param probed the Instance whose row is in view
 * @param others Instances that change meanwhile
 */
export async function writeToPixel(
  page: Page,
  base: string,
  { namespace, probed, others }: { namespace: string; probed: string; others: readonly string[] },
): Promise<Figure[]> {
  const path = (name: string) => `${base}/api/kube/apis/kudo.dev/v1beta1/namespaces/${namespace}/instances/${name}`;
  const patch = async (target: string, body: object) => {
    const answer = await fetch(target, {
      method: 'PATCH',
      headers: { ...TYPE, origin: base },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`A write was answered ${answer.status}: ${await answer.text()}`);
  };
  await watchRow(page, `${namespace}/${probed}`);
  const writes: Promise<void>[] = [];
  const busy = setInterval(() => {
    const count = writes.length;
    const other = path(others[count % others.length] ?? probed);
    writes.push(patch(other, { metadata: { annotations: { bench: String(count) } } }));
  }, 1_000 / EVENTS_A_SECOND);
  const delays: number[] = [];
  try {
    for (let probe = 0; probe < PROBES; probe++) {
      await new Promise((resolve) => setTimeout(resolve, 20 + ((probe * 37) % 130)));
      const text = `probe-${probe}.`;
      const sentMs = Date.now();
      await patch(`${path(probed)}/status`, {
        status: { conditions: [{ ...NOT_READY, message: text }] },
      });
      const seen = await page.waitForFunction((wanted) => Reflect.get(window, 'seenProbes')?.[wanted], text);
      delays.push(Number(await seen.jsonValue()) - sentMs);
    }
  } finally {
    clearInterval(busy);
    await Promise.allSettled(writes);
  }
  return [
    figure('instances-write-to-pixel-p50-ms', percentile(delays, 50), 'ms', { atMost: 120 }),
    figure('instances-write-to-pixel-p95-ms', percentile(delays, 95), 'ms', { atMost: 250 }),
    figure('instances-write-to-pixel-p99-ms', percentile(delays, 99), 'ms', { atMost: 500 }),
  ];
}

/** The page records the frame that draws each text in the row. */
async function watchRow(page: Page, key: string): Promise<void> {
  await page.evaluate((row) => {
    const seen: { [text: string]: number } = {};
    Object.assign(window, { seenProbes: seen });
    new MutationObserver(() => {
      const text = document.querySelector(`[data-instance="${row}"]`)?.textContent ?? '';
      const [probe] = /probe-\d+\./.exec(text) ?? [];
      if (probe === undefined || seen[probe] !== undefined) return;
      requestAnimationFrame(() => {
        seen[probe] ??= Date.now();
      });
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  }, key);
}
