import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs'

export type Money = Readonly<{ amount: number; currency: string }>
export type Report = Readonly<{
  orderId: string
  sequence: number
  state: string
  at: string
}> &
  Readonly<Record<string, unknown>>

/** An order as the bank has taken it: what was paid for whom, and what is still to come of it. */
export type Taken = Readonly<{
  id: string
  type: string
  transactionId: string
  amount: Money
  digest: string
  answer: Readonly<Record<string, unknown>>
  reportUrl: string
  /** What is going to be reported of it, unless it is called back. */
  course: readonly Readonly<Record<string, unknown>>[]
}>

type Line =
  | Readonly<{ taken: Taken }>
  | Readonly<{ report: Report }>
  /** The service has answered for these reports. */
  | Readonly<{ heard: readonly string[] }>
  /** What a service that is right never lets a bank see. */
  | Readonly<{ wrong: string }>

export type BookedOrder = Taken & { readonly reports: Report[]; state: string }

export const keyOf = ({ orderId, sequence }: Pick<Report, 'orderId' | 'sequence'>): string =>
  `${orderId}/${sequence}`

/** A last line that a kill cut short was never answered for. */
const linesOf = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []

/** For the bank itself, after its kill: it goes on below the last whole line. */
export function cutToLines(file: string): void {
  if (existsSync(file)) truncateSync(file, readFileSync(file).lastIndexOf('\n') + 1)
}

/** What a bank knows. Every line is in the file before anybody hears of it, so it survives its own kill. */
export function openBook(file: string) {
  const orders = new Map<string, BookedOrder>()
  const heard = new Set<string>()
  const wrong: string[] = []

  const learn = (line: Line): void => {
    if ('taken' in line) {
      orders.set(line.taken.id, {
        ...line.taken,
        reports: [],
        state: String(line.taken.answer['state']),
      })
    }
    if ('report' in line) {
      const order = orders.get(line.report.orderId)
      order?.reports.push(line.report)
      if (order) order.state = line.report.state
    }
    if ('heard' in line) for (const key of line.heard) heard.add(key)
    if ('wrong' in line) wrong.push(line.wrong)
  }
  for (const line of linesOf(file)) learn(JSON.parse(line) as Line)
  return {
    orders: orders as ReadonlyMap<string, BookedOrder>,
    wrong: wrong as readonly string[],
    isHeard: (report: Report) => heard.has(keyOf(report)),
    /** Reports that the service has not answered for. */
    unheard: (): Report[] =>
      [...orders.values()].flatMap(({ reports }) =>
        reports.filter((report) => !heard.has(keyOf(report))),
      ),
    add(line: Line) {
      appendFileSync(file, `${JSON.stringify(line)}\n`)
      learn(line)
    },
  }
}

export type Book = ReturnType<typeof openBook>
