import type { RawRequest } from '@/server/kube/api';
import type { Transport } from '@/server/kube/transport';
import type { TextRenderer } from '@/server/tasks/render-texts';
import type { Weather } from './weather';

/** A request of a controller that has reached the server, and what came of it. */
export interface HeardCall {
  readonly by: string;
  readonly request: RawRequest;
  readonly status: number;
}

/** What a simulated world is made with. */
export interface WorldOptions {
  readonly seed: string;
  readonly weather: Weather;
  readonly podDelayMs: number;
  /** Hears of every call of a controller that reached the server. */
  readonly onCall?: (call: HeardCall) => void;
  /** Stands between the server and the faults of the network. */
  readonly onWatch?: (transport: Transport) => Transport;
  /** Stands in the place of the renderer. */
  readonly renderTexts?: TextRenderer;
}
