/** What the tabs of one browser tell each other about the session. */
const CHANNEL = 'bravo-session';

/** Tells the other tabs that somebody has signed in. */
export function announceSignIn(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('signed-in');
  channel.close();
}

/** Calls `then` when somebody has signed in, in another tab. @returns ends that */
export function onSignIn(then: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = then;
  return () => channel.close();
}
