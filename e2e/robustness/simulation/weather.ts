/** The state of the network; it may change while a world runs. */
export interface Weather {
  /** 0 to 100: how many of a hundred calls of controllers meet a fault. */
  faultPercent: number;
}
