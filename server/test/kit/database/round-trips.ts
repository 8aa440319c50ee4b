import pg from 'pg'

/** The statements of one round trip: sent without waiting for an answer in between. */
export type RoundTrip = readonly string[]

type Transaction = string[][]
type Watched = { inFlight: number; latest: Transaction; isOpen: boolean }
type Exchange = {
  sent: readonly Readonly<{ statement: Readonly<{ text: string }> }>[]
  handleError(error: Error): void
  handleReadyForQuery(): void
}

/** Statements outside of a transaction are one by themselves. */
function note(own: Watched, transactions: Transaction[], texts: readonly string[]): void {
  if (!own.isOpen) {
    own.latest = []
    transactions.push(own.latest)
  }
  if (own.inFlight === 0 || own.latest.length === 0) own.latest.push([])
  own.latest.at(-1)?.push(...texts)
  if (texts.includes('begin')) own.isOpen = true
  if (texts.includes('commit') || texts.includes('rollback')) own.isOpen = false
}

/**
 * Watches every connection of this process: statements that are under way at the same time on one connection make one
 * round trip. Answers how to ask for the transaction that ran a statement, and how to stop.
 */
export function watchRoundTrips() {
  const watched = new WeakMap<object, Watched>()
  /** In the order in which they began. */
  const transactions: Transaction[] = []
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown }
  const original = prototype.query
  prototype.query = function (this: object, ...args: unknown[]) {
    const query = args[0] as Exchange
    if (!query.sent) return original.apply(this, args)
    const own = watched.get(this) ?? { inFlight: 0, latest: [], isOpen: false }
    watched.set(this, own)
    note(
      own,
      transactions,
      query.sent.map(({ statement }) => statement.text),
    )
    own.inFlight += 1
    const { handleError, handleReadyForQuery } = query
    query.handleError = (error) => {
      own.inFlight -= 1
      handleError(error)
    }
    query.handleReadyForQuery = () => {
      own.inFlight -= 1
      handleReadyForQuery()
    }
    return original.apply(this, args)
  }
  return {
    /** The round trips of the latest transaction with a statement like this, from its begin to its end. */
    transactionWith: (statement: RegExp): readonly RoundTrip[] =>
      transactions.findLast((one) => one.flat().some((text) => statement.test(text))) ?? [],
    stop(): void {
      prototype.query = original
    },
  }
}
