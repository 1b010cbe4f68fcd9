import type { Metadata } from 'next';
import { GuidePage } from '@/components/help/guide-page';

export const metadata: Metadata = { title: 'Guide' };

export default async function Page({ params }: { params: Promise<{ page: string }> }) {
  return <GuidePage page={(await params).page} />;
}
