/** One order or push of each port beside `rails`. */
import { bodyValidator } from '../../infra/http/schema/validate.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { PricesSchema } from '../http/messages/pushes.ts'
import type { Push } from './inbox.ts'
import {
  acceptance,
  answerTo,
  isSuccess,
  orderOf,
  REPORT_LIMIT_MS,
  seenIn,
  wellEnded,
  type Trial,
} from './trial.ts'
import { CaseSkip, demand } from './verdict.ts'

export async function decides(trial: Trial): Promise<void> {
  const order = orderOf(trial)
  await wellEnded(trial, order, await acceptance(trial, order))
}

/** Asks for a push; its first delivery is answered 500, and the second must be about the same. */
async function pushedTwice(
  trial: Trial,
  { testOutcome, path }: Readonly<{ testOutcome: string; path: string }>,
): Promise<readonly [Push, Push]> {
  const seen = (): readonly Push[] => trial.box.pushes.filter((push) => push.path === path)
  trial.box.receiveBy(() => (seen().length === 0 ? 'FAIL' : 'TAKE'))
  await acceptance(trial, orderOf(trial, { type: 'TEST_PUSH', testOutcome }))
  const both = await trial.box.waitFor(() => {
    const [first, second] = seen()
    return first && second ? ([first, second] as const) : undefined
  }, REPORT_LIMIT_MS)
  demand(both !== undefined, `a call of ${path}, repeated after 500`, `${seen().length} calls`)
  return both
}

export async function authorizes(trial: Trial): Promise<void> {
  await decides(trial)
  const asked = { testOutcome: 'AUTHORIZATION', path: '/authorizations' }
  const references = (await pushedTwice(trial, asked)).map(({ body }) => body['networkReference'])
  demand(references[0] === references[1], 'the same networkReference again', references)
}

export async function pushesDeposit(trial: Trial): Promise<void> {
  const [first, second] = await pushedTwice(trial, { testOutcome: 'DEPOSIT', path: '/deposits' })
  demand(first.text === second.text, 'the same body again', second.text)
  const order = orderOf(trial)
  const answer = await answerTo(trial, order)
  if (answer.state !== 'REFUSED') await wellEnded(trial, order, answer)
}

const priceErrors = bodyValidator(PricesSchema)

type Quoted = Readonly<{ bid: string; ask: string; at: string; validUntil: string }>

const VALIDITY_MAX_MS = 900 * SECOND_MS

/** Prices may be pushed, pulled or both; what the provider offers must be right. */
export async function quotesPrices(trial: Trial): Promise<void> {
  const pulled = await trial.client.prices()
  if (isSuccess(pulled)) {
    const [error] = priceErrors(structuredClone(pulled.json))
    demand(!error, `prices: ${error?.field} ${error?.message}`, seenIn(pulled))
    demandSound(pulled.json)
  }
  try {
    const [, push] = await pushedTwice(trial, { testOutcome: 'PRICES', path: '/prices' })
    demandSound(push.body)
  } catch (error) {
    if (!(error instanceof CaseSkip) || !isSuccess(pulled)) throw error
  }
}

function demandSound(body: unknown): void {
  const { prices } = body as Readonly<{ prices: readonly Quoted[] }>
  demand(prices.length > 0, 'at least one price', body)
  for (const price of prices) {
    const [bid, ask] = [Number(price.bid), Number(price.ask)]
    demand(bid > 0 && bid <= ask, 'a bid above zero and at most the ask', price)
    const lastsMs = Date.parse(price.validUntil) - Date.parse(price.at)
    demand(lastsMs > 0 && lastsMs <= VALIDITY_MAX_MS, 'validUntil at most 900 s after at', price)
  }
}
