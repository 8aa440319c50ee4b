/** What a service and its database spend on one payment. */
export type Spending = Readonly<{
  nodeUs: number
  postgresUs: number
  walBytes: number
  /** Of the log, copies of whole pages: they depend on when a checkpoint was. */
  pageBytes: number
  inserted: number
  updated: number
  deleted: number
  indexEntries: number
  roundTrips: number
}>

/** Requests per second with their latencies, as the bench prints them. */
export type Measured = Readonly<{
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** All that were sent, those of the warm-up too. */
  requests: number
  perPayment?: Spending
}>

/** Of values in growing order. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

const rounded = (value: number): number => Math.round(value * 100) / 100

/** All writers begin at once, which no steady load does: what they begin in this time is not counted. */
const WARM_UP_MS = 500

/** A closed loop: each of `writers` sends the next when the last is answered, for `durationMs` after the warm-up. */
export async function closedLoop(
  writers: number,
  durationMs: number,
  once: (writer: number) => Promise<unknown>,
): Promise<Measured> {
  const latencies: number[] = []
  let requests = 0
  const countedFrom = performance.now() + WARM_UP_MS
  const endAt = countedFrom + durationMs
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let at = performance.now(); at < endAt;) {
        await once(writer)
        requests += 1
        const answeredAt = performance.now()
        if (at >= countedFrom) latencies.push(answeredAt - at)
        at = answeredAt
      }
    }),
  )
  const seconds = (performance.now() - countedFrom) / 1000
  const sorted = latencies.toSorted((a, b) => a - b)
  return {
    perSecond: Math.round(latencies.length / seconds),
    p50Ms: rounded(percentile(sorted, 0.5)),
    p99Ms: rounded(percentile(sorted, 0.99)),
    requests,
  }
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The run whose throughput is the middle one, and of each thing spent the middle of all runs. */
function median(runs: readonly Measured[]): Measured {
  const sorted = runs.toSorted((a, b) => a.perSecond - b.perSecond)
  const { perPayment, ...run } = sorted[Math.floor(sorted.length / 2)] as Measured
  if (!perPayment) return run
  const names = Object.keys(perPayment) as (keyof Spending)[]
  const spent = names.map((name) => [name, middle(runs.map((one) => one.perPayment?.[name] ?? 0))])
  return { ...run, perPayment: Object.fromEntries(spent) as Spending }
}

export type Case = Readonly<{
  name: string
  /** What the ratio should reach at least. */
  aim?: number
  /** What ours should do at least. */
  perSecondMin?: number
  /** What ours may take at most, of a hundred 99. */
  p99MaxMs?: number
  /** How many rounds of ours are not counted, beside the first; of the yardstick too if it is another service. */
  warmUpRounds?: number
  isAnotherService?: boolean
  ours: () => Promise<Measured>
  yardstick: () => Promise<Measured>
  /** What the yardstick is, in words. */
  against: string
}>

type Round = Readonly<{ own: Measured; other: Measured }>

const cpuOf = ({ perPayment }: Measured): number =>
  (perPayment?.nodeUs ?? 0) + (perPayment?.postgresUs ?? 0)

/** Of each round ours to the other side: the middle, the lowest and the highest. */
function ratiosOf(rounds: readonly Round[], valueOf: (side: Measured) => number) {
  const ratios = rounds.map(({ own, other }) => rounded(valueOf(own) / valueOf(other)))
  return { middle: middle(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) }
}

/**
 * Both sides turn by turn, so that a noisy moment hits both; medians of the rounds; one JSON line. A first round of both
 * is not counted: it fills caches and lets the compiler see what is hot.
 */
export async function runCase(one: Case, roundCount: number): Promise<boolean> {
  const { name, aim, perSecondMin, p99MaxMs, ours, yardstick, against, warmUpRounds = 0 } = one
  for (let round = 0; round <= warmUpRounds; round += 1) {
    await ours()
    if (round === 0 || one.isAnotherService) await yardstick()
  }
  const rounds: Round[] = []
  for (let round = 0; round < roundCount; round += 1)
    rounds.push({ own: await ours(), other: await yardstick() })
  const measured = median(rounds.map(({ own }) => own))
  const reference = median(rounds.map(({ other }) => other))
  const rates = ratiosOf(rounds, ({ perSecond }) => perSecond)
  const ratio = rates.middle
  const spent = one.isAnotherService && { rates, cpu: ratiosOf(rounds, cpuOf) }
  const line = {
    ...{ case: name, ...measured, ratio, ...spent, aim, perSecondMin, p99MaxMs },
    ...{ against, yardstick: reference },
  }
  process.stdout.write(`${JSON.stringify(line)}\n`)
  const isFastEnough = ratio >= (aim ?? 0) && measured.perSecond >= (perSecondMin ?? 0)
  return isFastEnough && measured.p99Ms <= (p99MaxMs ?? Infinity)
}
