/** Attempts that one process sends at the same time. Waiting for an answer costs a socket, no more. */
export const PLACES = 512

const STEPS = [
  { until: PLACES / 2, share: 32 },
  { until: (PLACES * 3) / 4, share: 8 },
  { until: PLACES, share: 1 },
]

export type Room = Readonly<{
  /** How many attempts may start before the next query. */
  free: number
  /** How many attempts of one platform may be under way. */
  share: number
}>

/**
 * A platform's share shrinks with the load, so that even many hanging endpoints leave room for others (HOOK-14). The free
 * places end where the share shrinks: platforms that start at once get no more than those that start one after the other.
 * Undefined without a free place.
 */
export function roomFor(placesTaken: number): Room | undefined {
  const step = STEPS.find(({ until }) => placesTaken < until)
  return step && { free: step.until - placesTaken, share: step.share }
}
