import { CopyButton } from '@/components/ui/copy-button';

/** The Role that grants the missing right, to copy into a message to an administrator. */
export function RoleToAskFor({ role }: { role: string }) {
  return (
    <details className="mt-2">
      <summary>Ask an administrator of this cluster to apply this Role</summary>
      <div className="mt-2 flex items-start gap-2 rounded-md border bg-ground p-2.5 text-start">
        <section
          aria-label="The Role" // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
          tabIndex={0}
          className="min-w-0 flex-1 overflow-x-auto"
        >
          <pre className="mono text-ink">{role}</pre>
        </section>
        <CopyButton label="Copy the Role" text={role} />
      </div>
    </details>
  );
}
