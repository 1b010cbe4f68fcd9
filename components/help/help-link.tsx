import { CircleHelp } from 'lucide-react';
import { Link } from '@/components/ui/link';

/** Leads to the glossary, the shortcuts and the guides. */
export function HelpLink() {
  return (
    <Link
      href="/help"
      title="Help"
      className="grid size-8 place-items-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink"
    >
      <CircleHelp size={16} aria-hidden="true" />
      <span className="sr-only">Help</span>
    </Link>
  );
}
