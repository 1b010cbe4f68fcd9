import { useQuery } from '@tanstack/react-query';
import { type RequestError, request } from '@/components/live/request';
import type { ProductStatus } from '@/lib/status/product-status';

const EVERY_MS = 5_000;

/** The status of console, controller and API server, read again every five seconds while the page is seen. */
export function useStatus() {
  return useQuery<ProductStatus, RequestError>({
    queryKey: ['status'],
    queryFn: ({ signal }) => request<ProductStatus>('/api/status', { signal }),
    refetchInterval: EVERY_MS,
    retry: false,
  });
}
