import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { Instance } from '@/lib/kudo/types';
import { type Figure, figure } from './figure';
import { type Processes, rssMb, startProcesses } from './reconcile/processes';
import { createInstances, installOperator, NAMESPACE, namesOf, Observer } from './reconcile/work';
import { measurePages } from './runs/pages';
import { seedRuns } from './runs/seed-runs';

const AT_ONCE = 500;
const AT_REST_MS = 20_000;

/**
 * 50,000 runs of 500 Instances: how long the page of runs takes when nobody has read them yet and when somebody has, the memory of the
 * console and the controller, and how long the page of a run with 1,000 steps takes. Sandbox, controller and console are processes of
 * their own. Times are those of the page.
 */
export async function run(): Promise<Figure[]> {
  const processes = await startProcesses();
  try {
    const instances = await makeInstances(processes);
    await processes.killController();
    const emptyMb = await memoryAtRest(processes);
    await seedRuns(processes.api, instances, Date.now());
    const fullMb = await memoryAtRest(processes);
    return [...memoryFigures(emptyMb, fullMb), ...(await measurePages(processes, instances))];
  } finally {
    await processes.stop();
  }
}

async function makeInstances({ api }: Processes): Promise<Instance[]> {
  const operatorVersion = await installOperator(api);
  const observer = new Observer(api);
  const names = namesOf('many-', AT_ONCE);
  const completed = observer.complete(names);
  await createInstances(api, operatorVersion, names);
  await completed;
  await observer.stop();
  return (await api.list({ ...INSTANCES, namespace: NAMESPACE })).items as Instance[];
}

/** Of a controller that is started for it, after its first sweep. */
async function memoryAtRest(processes: Processes): Promise<number> {
  const controller = processes.startController();
  await controller.printed('lease.held');
  await pause(AT_REST_MS);
  const measured = rssMb(controller.child.pid);
  await processes.killController();
  return measured;
}

function memoryFigures(emptyMb: number, fullMb: number): Figure[] {
  return [
    { name: 'controller-rss-mb', value: Math.round(emptyMb), unit: 'MB' },
    { name: 'controller-rss-with-runs-mb', value: Math.round(fullMb), unit: 'MB' },
    figure('memory-per-instance-for-runs', (fullMb - emptyMb) / AT_ONCE, 'MB', { atMost: 0.1 }),
  ];
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
