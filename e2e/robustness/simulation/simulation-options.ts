import type { RawRequest } from '@/server/kube/api';
import type { Transport } from '@/server/kube/transport';
import type { TextRenderer } from '@/server/tasks/render-texts';
import type { FaultRate } from './fault-rate';

/** A request of a controller that has reached the server, and what came of it. */
export interface HeardCall {
  readonly by: string;
  readonly request: RawRequest;
  readonly status: number;
}

/** What a simulated simulation is made with. */
export interface SimulationOptions {
  readonly seed: string;
  readonly faultRate: FaultRate;
  readonly podDelayMs: number;
  /** Hears of every call of a controller that reached the server. */
  readonly onCall?: (call: HeardCall) => void;
  /** Stands between the server and the faults of the network. */
  readonly onWatch?: (transport: Transport) => Transport;
  /** The controllers serve the admission webhook, and the API server asks it. */
  readonly hasWebhook?: boolean;
  /** Breaks the webhook on purpose: what it makes of an answer. */
  readonly tamperReview?: ((answer: string) => string) | undefined;
  /** Hears what came of each question to the webhook. */
  readonly onReview?: (words: string) => void;
  /** Stands in the place of the renderer. */
  readonly renderTexts?: TextRenderer;
}
