/** How many of a hundred calls of the simulated processes meet a fault: 0 to 100. It may change while a simulation runs. */
export interface FaultRate {
  percent: number;
}
