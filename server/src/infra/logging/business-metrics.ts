import { Counter, Gauge, type Registry } from './prometheus.ts'

/** A payment that has come to a status, with its amount in the smallest unit of the currency. */
export type CountedPayment = Readonly<{
  type: 'OUTGOING' | 'INCOMING' | 'CARD'
  rail: string
  status: string
  currency: string
  amount: bigint
}>

/** What is counted of the business; each process counts what it has committed itself. */
export type BusinessCounts = Readonly<{
  payment(payment: CountedPayment): void
  cardDecision(decision: Readonly<{ decision: string; declineReason?: string }>): void
  ledgerCheck(problems: number): void
}>

type Sum = { readonly of: CountedPayment; count: number; amount: number }

/** One look-up in a map per status of a payment: what scrapers read is made when they ask. */
export function createBusinessCounts(registry: Registry): BusinessCounts {
  const registers = [registry]
  const sums = new Map<string, Sum>()
  countPayments(registry, sums)
  const decisions = new Counter({
    name: 'florin_card_decisions_total',
    help: 'Decisions on authorizations that a provider sent, by reason where declined.',
    labelNames: ['decision', 'reason'],
    registers,
  })
  const checks = new Counter({
    name: 'florin_ledger_checks_total',
    help: 'Checks of the whole book in this process by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const problems = new Gauge({
    name: 'florin_ledger_problems',
    help: 'What the last check of the book in this process found.',
    registers,
  })
  return {
    payment(of) {
      const key = `${of.type} ${of.rail} ${of.status} ${of.currency}`
      let sum = sums.get(key)
      if (!sum) sums.set(key, (sum = { of, count: 0, amount: 0 }))
      sum.count += 1
      sum.amount += Number(of.amount)
    },
    cardDecision: ({ decision, declineReason = '' }) =>
      decisions.inc({ decision, reason: declineReason }),
    ledgerCheck(found) {
      checks.inc({ outcome: found === 0 ? 'sound' : 'unsound' })
      problems.set(found)
    },
  }
}

function countPayments(registry: Registry, sums: ReadonlyMap<string, Sum>): void {
  const registers = [registry]
  new Counter({
    name: 'florin_payments_total',
    help: 'Payments that came to a status, by type and rail.',
    labelNames: ['type', 'rail', 'status'],
    registers,
    collect() {
      this.reset()
      for (const { of, count } of sums.values()) {
        this.inc({ type: of.type, rail: of.rail, status: of.status }, count)
      }
    },
  })
  new Counter({
    name: 'florin_payment_amount_total',
    help: 'Amounts of payments that came to a status, in smallest units of their currency.',
    labelNames: ['type', 'currency', 'status'],
    registers,
    collect() {
      this.reset()
      for (const { of, amount } of sums.values()) {
        this.inc({ type: of.type, currency: of.currency, status: of.status }, amount)
      }
    },
  })
}
