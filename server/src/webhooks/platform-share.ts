/** Attempts that one process sends at the same time. Waiting for an answer costs a socket, no more. */
export const PLACES = 256

const STEPS = [
  { until: PLACES / 2, share: 16 },
  { until: (PLACES * 3) / 4, share: 4 },
  { until: PLACES, share: 1 },
]

export type Room = Readonly<{
  /** How many attempts may be begun before asking again. */
  free: number
  /** How many of one platform may be under way with them. */
  share: number
}>

/**
 * The fuller the places, the smaller a platform's share, so that even many endpoints that hang leave places for the
 * others (HOOK-14). What is free ends where the share shrinks: platforms that come all at once get no more than those
 * that come one after the other. Undefined when there is no place left.
 */
export function roomFor(placesTaken: number): Room | undefined {
  const step = STEPS.find(({ until }) => placesTaken < until)
  return step && { free: step.until - placesTaken, share: step.share }
}
