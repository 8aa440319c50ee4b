/** Whose document it is: a platform, and which of its links, or the platform itself. */
export type Share = Readonly<{ platform: string; source: string }>

export type Turns<T> = Readonly<{ add(share: Share, waiting: T): void; take(): T | undefined }>

/**
 * Those who wait, taken in turn: one of each platform, and of a platform one of each of its sources. However many
 * documents one of them sends, another waits for one of them only.
 */
export function createTurns<T>(): Turns<T> {
  const platforms = new Map<string, Map<string, T[]>>()
  return {
    add({ platform, source }, waiting) {
      const sources = platforms.get(platform) ?? new Map<string, T[]>()
      sources.set(source, [...(sources.get(source) ?? []), waiting])
      platforms.set(platform, sources)
    },
    take() {
      const [platform, sources] = firstOf(platforms) ?? []
      const [source, [taken, ...rest]] = (sources && firstOf(sources)) ?? [undefined, []]
      if (platform === undefined || sources === undefined || source === undefined) return undefined
      putLast(sources, source, rest.length > 0 ? rest : undefined)
      putLast(platforms, platform, sources.size > 0 ? sources : undefined)
      return taken
    },
  }
}

function firstOf<V>(ring: ReadonlyMap<string, V>): [string, V] | undefined {
  for (const entry of ring) return entry
  return undefined
}

/** Out of the ring where nothing is left. */
function putLast<V>(ring: Map<string, V>, key: string, left: V | undefined): void {
  ring.delete(key)
  if (left !== undefined) ring.set(key, left)
}
