import { messageOf } from '@/lib/errors/errors';
import type { Cluster } from './cluster';
import type { ServiceObjects } from './endpoints';
import { serviceRules } from './service-rules';
import { pause, requireTool, runTool } from './tools';

const GATHER_MS = 50;

/** Keeps the rules of nftables as Services and EndpointSlices are. */
export class ServiceProxy {
  private applied = '';
  private applying: Promise<void> | undefined;
  private isWanted = false;

  constructor(
    private readonly table: string,
    private readonly podRange: string,
    private readonly cluster: Cluster,
  ) {}

  objects(): ServiceObjects {
    return { services: this.cluster.serviceObjects.list(), slices: this.cluster.endpointSlices.list() };
  }

  schedule(): void {
    this.isWanted = true;
    this.applying ??= this.apply().finally(() => {
      this.applying = undefined;
    });
  }

  async stop(): Promise<void> {
    await this.applying;
    await runTool('nft', ['delete', 'table', 'ip', this.table]);
  }

  private async apply(): Promise<void> {
    while (this.isWanted) {
      await pause(GATHER_MS);
      this.isWanted = false;
      const rules = serviceRules(this.table, this.podRange, this.objects());
      if (rules === this.applied) continue;
      try {
        await requireTool('nft', ['-f', '-'], { input: rules });
        this.applied = rules;
      } catch (error) {
        this.cluster.log.error('service-rules.failed', { error: messageOf(error) });
      }
    }
  }
}
