/** One that a broken connection holds up does not hold up all. */
const UNDER_WAY_MAX = 2
const TOGETHER_MAX = 64

type Waiting<Key, Found> = Readonly<{
  key: Key
  resolve: (found: Found) => void
  reject: (error: unknown) => void
}>

/**
 * Look-ups of single keys, gathered into set-based ones: keys of one turn go together, and so do those that come while
 * enough look-ups are under way. There is no timer, so a key alone waits for nothing. `lookUp` answers in the order of
 * its keys; where it fails, it fails for all of them.
 */
export function gather<Key, Found>(
  lookUp: (keys: readonly Key[]) => Promise<readonly Found[]>,
): (key: Key) => Promise<Found> {
  const waiting: Waiting<Key, Found>[] = []
  let underWay = 0
  let isScheduled = false

  const run = async (): Promise<void> => {
    const gathered = waiting.splice(0, TOGETHER_MAX)
    underWay += 1
    try {
      const found = await lookUp(gathered.map(({ key }) => key))
      gathered.forEach(({ resolve }, index) => resolve(found[index] as Found))
    } catch (error) {
      gathered.forEach(({ reject }) => reject(error))
    }
    underWay -= 1
    kick()
  }
  const kick = (): void => {
    if (isScheduled || waiting.length === 0 || underWay >= UNDER_WAY_MAX) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      void run()
      kick()
    })
  }
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      kick()
    })
}
