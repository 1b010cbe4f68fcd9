import { type Random, randomInteger } from '@/lib/random/random';
import { errorEvent, PASS, type ProxiedRequest, type ProxyFault, proxyStatus } from '../proxy/fault';

const CALL_FAULTS: readonly ((random: Random) => ProxyFault)[] = [
  () => proxyStatus(503, 'ServiceUnavailable', 'not now'),
  () => proxyStatus(500, 'InternalError', 'etcdserver: leader changed'),
  () => proxyStatus(429, 'TooManyRequests', 'slow down', { 'retry-after': '1' }),
  () => ({ do: 'reset' }),
  () => ({ do: 'lose' }),
  (random) => ({ do: 'delay', until: 50 + randomInteger(random, 500) }),
  (random) => ({ do: 'limit', bytes: randomInteger(random, 400), how: 'break' }),
];

const WATCH_FAULTS: readonly ((random: Random) => ProxyFault)[] = [
  () => proxyStatus(410, 'Expired', 'too old'),
  () => ({ do: 'prepend', text: errorEvent(410, 'Expired', 'too old') }),
  () => proxyStatus(503, 'ServiceUnavailable', 'not now'),
  () => ({ do: 'reset' }),
  (random) => ({ do: 'limit', bytes: randomInteger(random, 4_000), how: 'break' }),
  (random) => ({ do: 'lines', count: 1 + randomInteger(random, 4) }),
];

/** This many of a hundred requests meet a random fault. */
export function faultsByChance(random: Random, percent: number): (request: ProxiedRequest) => ProxyFault {
  return (request) => {
    if (randomInteger(random, 100) >= percent) return PASS;
    if (request.isSocket) return { do: 'reset' };
    const faults = request.isWatch ? WATCH_FAULTS : CALL_FAULTS;
    return faults[randomInteger(random, faults.length)]?.(random) ?? PASS;
  };
}
