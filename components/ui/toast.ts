import { create } from 'zustand';
import type { Tone } from '@/lib/kudo/view/status-words';

export interface Toast {
  id: number;
  tone: Extract<Tone, 'ok' | 'fail' | 'run' | 'wait'>;
  title: string;
  detail?: string | undefined;
  link?: { label: string; href: string } | undefined;
}

interface ToastStore {
  toasts: readonly Toast[];
  add(toast: Omit<Toast, 'id'>): void;
  remove(id: number): void;
}

let made = 0;

/** The messages that are shown; {@link showToast} adds one. */
export const useToasts = create<ToastStore>((set) => ({
  toasts: [],
  add: (toast) => set((state) => ({ toasts: [...state.toasts.slice(-3), { ...toast, id: ++made }] })),
  remove: (id) => set((state) => ({ toasts: state.toasts.filter((toast) => toast.id !== id) })),
}));

/** Shows a message for a few seconds; failures stay until they are closed. Callable from anywhere. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  useToasts.getState().add(toast);
}
