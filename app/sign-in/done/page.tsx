import type { Metadata } from 'next';
import { SignedInPage } from '@/components/sign-in/signed-in-page';

export const metadata: Metadata = { title: 'Signed in' };
export const dynamic = 'force-dynamic';

export default function SignedInRoute() {
  return <SignedInPage />;
}
