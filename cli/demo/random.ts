/** Numbers that follow from a seed: the same demo comes of the same seed (mulberry32). */
export type Random = Readonly<{
  /** From 0 up to, but not including, `below`. */
  int(below: number): number
  pick<T>(from: readonly [T, ...T[]]): T
}>

export function randomFrom(seed: number): Random {
  let state = Math.trunc(seed)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (below: number): number => Math.floor(next() * below)
  return { int, pick: (from) => from[int(from.length)] ?? from[0] }
}
