/** One question to a webhook. */
export interface ReviewPost {
  /** With the query that kube-apiserver adds. */
  readonly url: URL;
  /** PEM; the system's authorities when absent. */
  readonly caBundle: string | undefined;
  readonly timeoutMs: number;
  /** The AdmissionReview as JSON text. */
  readonly body: string;
}

/** Sends a question and gives the text of the answer. What it rejects with counts as a failure of the webhook. */
export type PostReview = (post: ReviewPost) => Promise<string>;
