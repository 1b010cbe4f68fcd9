import type { RawRequest } from '@/server/kube/api';
import type { Transport } from '@/server/kube/transport';
import type { TextRenderer } from '@/server/tasks/render-texts';
import type { FaultRate } from './fault-rate';

/** A request of a controller that has reached the server, and the status of the answer. */
export interface HeardCall {
  readonly by: string;
  readonly request: RawRequest;
  readonly status: number;
}

/** What a simulation is started with. */
export interface SimulationOptions {
  readonly seed: string;
  readonly faultRate: FaultRate;
  readonly podDelayMs: number;
  /** Into how many shards the controllers divide the Instances; 1 when absent. */
  readonly shards?: number;
  /** Called for every request of a controller that reached the server. */
  readonly onCall?: (call: HeardCall) => void;
  /** Wraps the transport between the server and the faults of the network. */
  readonly onWatch?: (transport: Transport) => Transport;
  /** The controllers serve the admission webhook, and the API server calls it. */
  readonly hasWebhook?: boolean;
  /** Alters an answer of the webhook on purpose. */
  readonly tamperReview?: ((answer: string) => string) | undefined;
  /** Called with the outcome of each call of the webhook. */
  readonly onReview?: (words: string) => void;
  /** Replaces the renderer. */
  readonly renderTexts?: TextRenderer;
}
