/** The sender of a document: a platform, or one of its links. */
export type Share = Readonly<{ platform: string; source: string }>

export type Turns<T> = Readonly<{ add(share: Share, waiting: T): void; take(): T | undefined }>

/**
 * A queue that takes turns: one document of each platform, and within a platform one of each source. However many
 * documents one source sends, another waits for one of them only.
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

/** Removes an empty entry from the ring. */
function putLast<V>(ring: Map<string, V>, key: string, left: V | undefined): void {
  ring.delete(key)
  if (left !== undefined) ring.set(key, left)
}
