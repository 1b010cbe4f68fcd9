/** What the tabs of a browser tell each other about views of other users. */
const CHANNEL = 'bravo-view';

/** Tells the other tabs that a view of another user has begun or ended. */
export function announceViewChange(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('changed');
  channel.close();
}

/** Calls `then` when another tab begins or ends a view. @returns ends that */
export function onViewChange(then: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = then;
  return () => channel.close();
}

const listeners = new Set<() => void>();

/** Tells that the stream is of another view than this page. */
export function reportOtherView(): void {
  for (const listener of listeners) listener();
}

/** Calls `then` when the server shows this browser another view than the page's. @returns ends that */
export function onOtherView(then: () => void): () => void {
  listeners.add(then);
  return () => listeners.delete(then);
}
