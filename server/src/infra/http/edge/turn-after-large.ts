export { setImmediate as nextTurn } from 'node:timers/promises'

const LARGE_BYTES = 8 * 1024

/** Each step over a larger body may take some ten milliseconds, so other requests have a turn between two steps. */
export const isLarge = (body: Buffer): boolean => body.length > LARGE_BYTES
