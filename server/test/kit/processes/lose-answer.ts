import pg from 'pg'

type Exchange = {
  sent: readonly Readonly<{ statement: Readonly<{ text: string }> }>[]
  handleError(error: Error): void
  handleReadyForQuery(): void
}
type Client = { connection: { stream: { destroy(error: Error): void } } }

/**
 * The next exchange with a statement like this is carried out by the server to its end, and its answer never arrives:
 * the connection fails with `error` instead, as it may when a network goes away.
 */
export function loseAnswerTo(statement: RegExp, error: Error): void {
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown }
  const original = prototype.query
  prototype.query = function (this: Client, ...args: unknown[]) {
    const query = args[0] as Exchange
    if (query.sent?.some((one) => statement.test(one.statement.text))) {
      prototype.query = original
      query.handleReadyForQuery = () => {
        this.connection.stream.destroy(error)
        query.handleError(error)
      }
    }
    return original.apply(this, args)
  }
}
