import {
  ArchiveRestore,
  ArrowLeftRight,
  CircleArrowUp,
  Database,
  History,
  KeyRound,
  Play,
  Power,
  RefreshCw,
  Save,
  Scaling,
  SearchCheck,
  ShieldCheck,
  Trash2,
  Wrench,
} from 'lucide-react';

/** Those that a package can name (lib/kudo/plan-metadata). */
const icons: { readonly [name: string]: typeof Play } = {
  'archive-restore': ArchiveRestore,
  'arrow-left-right': ArrowLeftRight,
  'circle-arrow-up': CircleArrowUp,
  database: Database,
  history: History,
  'key-round': KeyRound,
  play: Play,
  power: Power,
  'refresh-cw': RefreshCw,
  save: Save,
  scaling: Scaling,
  'search-check': SearchCheck,
  'shield-check': ShieldCheck,
  'trash-2': Trash2,
  wrench: Wrench,
};

const usual: { readonly [plan: string]: string } = { backup: 'save', restore: 'archive-restore' };

/** The icon of a plan: the one that its package names, else the usual one. */
export function PlanIcon({ plan, icon }: { plan: string; icon: string | undefined }) {
  const name = icon !== undefined && Object.hasOwn(icons, icon) ? icon : usual[plan];
  const Icon = icons[name ?? 'play'] ?? Play;
  return <Icon size={15} strokeWidth={1.75} aria-hidden="true" className="max-sm:hidden" />;
}
