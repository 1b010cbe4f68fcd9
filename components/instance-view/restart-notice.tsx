import { Notice } from '@/components/ui/notice';

/** Workloads whose pods restart or stop, a sentence each; nothing without one. */
export function RestartNotice({ restarts }: { restarts: readonly string[] }) {
  if (restarts.length === 0) return null;
  return (
    <Notice tone="wait" title="Pods are interrupted">
      {restarts.map((restart) => (
        <p key={restart}>{restart}</p>
      ))}
    </Notice>
  );
}
