import pg from 'pg'

/** The statements of one round trip: sent without waiting for an answer in between. */
export type RoundTrip = readonly string[]

type Transaction = string[][]
type Watched = { inFlight: number; latest: Transaction }

const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : ((query as { text?: string }).text ?? '')

/**
 * Watches every connection of this process: statements that are under way at the same time on one connection make one
 * round trip. Answers how to ask for the transaction that ran a statement, and how to stop.
 */
export function watchRoundTrips() {
  const watched = new Map<object, Watched>()
  /** In the order in which they began. */
  const transactions: Transaction[] = []
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown }
  const original = prototype.query
  prototype.query = function (this: object, ...args: unknown[]) {
    const own = watched.get(this) ?? { inFlight: 0, latest: [] }
    watched.set(this, own)
    const text = textOf(args[0])
    if (text === 'begin') {
      own.latest = []
      transactions.push(own.latest)
    }
    if (own.inFlight === 0 || own.latest.length === 0) own.latest.push([])
    own.latest.at(-1)?.push(text)
    if (text === 'commit' || text === 'rollback') own.latest = []
    own.inFlight += 1
    const done = (): void => void (own.inFlight -= 1)
    const answer = original.apply(this, args)
    if (answer instanceof Promise) void answer.then(done, done)
    else done()
    return answer
  }
  return {
    /** The round trips of the latest transaction with a statement like this, `begin` to `commit`. */
    transactionWith: (statement: RegExp): readonly RoundTrip[] =>
      transactions.findLast((one) => one.flat().some((text) => statement.test(text))) ?? [],
    stop(): void {
      prototype.query = original
    },
  }
}
