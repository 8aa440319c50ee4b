import type { Florin } from '../../sdk/src/index.ts'
import { ADDRESS } from '../trigger/sandbox-steps.ts'
import type { Random } from './random.ts'
import { enrolApp, logIn, prove } from './strong-authentication.ts'

const DAY_SECONDS = 86_400
const USD = { code: 'USD', name: 'United States Dollar', symbol: '$', decimals: 2 }

type Person = readonly [name: string, region: string]

/** People of several countries; the ends of some names decide what becomes of them. */
const PEOPLE: readonly [Person, ...Person[]] = [
  ['Ana Souza', 'BR'],
  ['Ben Carter', 'US'],
  ['Carla Meier', 'CH'],
  ['Diego Morales', 'MX'],
  ['Elif Kaya', 'TR'],
  ['Fatou Diop', 'SN'],
  ['Grace Njeri', 'KE'],
  ['Hiro Tanaka', 'JP'],
  ['Ines Roy', 'CA'],
  ['Priya Nair', 'IN'],
  ['Lukas Weber', 'DE'],
  ['Marie Dubois', 'FR'],
  ['Sofia Rossi', 'IT'],
  ['Sam Review 001', 'US'],
  ['Tom Rejected 002', 'US'],
  ['Uma Unverified 003', 'GB'],
]

/** Of the EEA, where the payer proves each payment. */
const UNDER_STRONG_AUTHENTICATION: ReadonlySet<string> = new Set(['DE', 'FR', 'IT'])
const PHONE = '+4915112345678'

type Merchant = readonly [descriptor: string, mcc: string]

const MERCHANTS: readonly [Merchant, ...Merchant[]] = [
  ['BLUE DOOR COFFEE', '5814'],
  ['CITY GROCERY', '5411'],
  ['NORTH STAR AIR', '4511'],
  ['CORNER BOOKS', '5942'],
  ['NO FUNDS STORE 002', '5411'],
]

/** Endings of an account number and what payments to it come to; most of them arrive. */
const OUTCOMES = ['000', '000', '000', '000', '000', '002', '003', '004', '005', '007'] as const

type Holder = Readonly<{
  customerId: string
  accountId: string
  cardId: string | undefined
  /** Under strong authentication. */
  hasProof: boolean
}>

export type Demo = Readonly<{
  florin: Florin
  random: Random
  days: number
  /** Called before each step with how far it is. */
  progress(done: number, all: number): void
  signal: AbortSignal
}>

export type DemoCounts = { customers: number; payments: number; purchases: number; agents: number }

/** Fills a sandbox with a month: the clock moves a day at a time, and each day has payments, purchases and deposits. */
export async function playMonth(demo: Demo): Promise<DemoCounts> {
  const { florin, days, progress, signal } = demo
  const steps = PEOPLE.length + days
  const counts: DemoCounts = { customers: 0, payments: 0, purchases: 0, agents: 0 }
  const holders: Holder[] = []
  for (const [index, person] of PEOPLE.entries()) {
    signal.throwIfAborted()
    progress(index, steps)
    const holder = await newHolder(demo, person, index)
    counts.customers += 1
    if (holder) holders.push(holder)
  }
  const [first] = holders
  if (first) counts.agents += await newAgent(florin, first)
  const payees = await newPayees(demo)
  for (let day = 0; day < days; day += 1) {
    signal.throwIfAborted()
    progress(PEOPLE.length + day, steps)
    await playDay(demo, { holders, payees, counts })
    await florin.sandbox.clock.advance({ advanceSeconds: DAY_SECONDS })
  }
  progress(steps, steps)
  return counts
}

/** Undefined for somebody who is not verified: such a customer has no money. */
async function newHolder(
  { florin, random }: Demo,
  [fullName, region]: Person,
  index: number,
): Promise<Holder | undefined> {
  const hasProof = UNDER_STRONG_AUTHENTICATION.has(region)
  const customer = await florin.customers.create({
    customerType: 'INDIVIDUAL',
    fullName,
    region,
    ...(hasProof && { phoneNumber: PHONE }),
  })
  if (customer.customerType !== 'INDIVIDUAL' || customer.kycStatus !== 'APPROVED') return undefined
  const { id: customerId } = customer
  const { data } = await florin.customers.internalAccounts.list({ customerId, currency: 'USD' })
  const accountId = data[0]?.id
  if (accountId === undefined) return undefined
  if (hasProof) await enrolApp(florin, customerId)
  await florin.sandbox.fund(accountId, { amount: 100_000 + random.int(400_000) })
  const isCardholder = index % 3 === 1
  const cardId = isCardholder
    ? (await florin.cards.create({ customerId, form: 'VIRTUAL', fundingSource: accountId })).id
    : undefined
  return { customerId, accountId, cardId, hasProof }
}

async function newPayees({ florin, random }: Demo): Promise<string[]> {
  const payees: string[] = []
  for (const ending of OUTCOMES) {
    const number = String(100_000_000 + random.int(900_000_000))
    const { id } = await florin.platform.externalAccounts.create({
      currency: 'USD',
      accountInfo: {
        accountType: 'USD_ACCOUNT',
        accountNumber: `${number}${ending}`,
        routingNumber: '021000021',
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe', address: ADDRESS },
      },
    })
    payees.push(id)
  }
  return payees
}

async function newAgent(florin: Florin, { customerId }: Holder): Promise<number> {
  await florin.agents.create({
    name: 'Bill payer',
    customerId,
    policy: {
      permissions: ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS'],
      defaultExecutionMode: 'APPROVAL_REQUIRED',
      spendingLimits: { currency: 'USD', perTransactionLimit: 50_000 },
    },
  })
  return 1
}

type Day = Readonly<{
  holders: readonly Holder[]
  payees: readonly string[]
  counts: DemoCounts
}>

async function playDay(demo: Demo, { holders, payees, counts }: Day): Promise<void> {
  const { florin, random } = demo
  for (const holder of holders) {
    const { accountId, cardId } = holder
    const chance = random.int(4)
    if (chance === 0) {
      await florin.sandbox.fund(accountId, { amount: 20_000 + random.int(80_000) })
      const to = payees[random.int(payees.length)] ?? ''
      await pay(demo, holder, { to, amount: 1_000 + random.int(19_000) })
      counts.payments += 1
    }
    if (cardId !== undefined && chance < 2) {
      await buy(florin, cardId, random)
      counts.purchases += 1
    }
  }
}

/** Who has to prove a payment logs in for it, and sometimes forgets the proof. */
async function pay(
  { florin, random }: Demo,
  { accountId, customerId, hasProof }: Holder,
  { to, amount }: Readonly<{ to: string; amount: number }>,
): Promise<void> {
  if (hasProof) await logIn(florin, customerId)
  const { id } = await florin.quotes.create({
    source: { sourceType: 'ACCOUNT', accountId },
    destination: { destinationType: 'ACCOUNT', accountId: to },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: amount,
    immediatelyExecute: !hasProof,
  })
  if (!hasProof) return
  await florin.quotes.execute(id)
  if (random.int(6) > 0) await prove(florin, id)
}

/** Most purchases are cleared at once; some stay open, and some are declined. */
async function buy(florin: Florin, cardId: string, random: Random): Promise<void> {
  const [descriptor, mcc] = random.pick(MERCHANTS)
  const amount = 300 + random.int(6_000)
  const transaction = await florin.sandbox.cards.authorize(cardId, {
    amount,
    currency: USD,
    merchant: { descriptor, mcc, country: 'US' },
  })
  if (transaction.status !== 'AUTHORIZED' || random.int(5) === 0) return
  await florin.sandbox.cards.clear(cardId, { cardTransactionId: transaction.id, amount })
}
