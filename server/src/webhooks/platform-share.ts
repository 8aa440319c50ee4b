/** Attempts that one process sends at the same time. Waiting for an answer costs a socket, no more. */
export const PLACES = 256

/**
 * How many attempts of one platform may be under way (HOOK-14). The fuller the places, the smaller the share, so
 * that even many endpoints that hang leave places for the others.
 */
export function platformShare(placesTaken: number): number {
  if (placesTaken < PLACES / 2) return 16
  if (placesTaken < (PLACES * 3) / 4) return 4
  return 1
}
