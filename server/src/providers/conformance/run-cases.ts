/** Plays the cases against a provider, several at the same time, and says what became of each (PROV-150). */
import { CASES, type ConformanceCase } from './cases.ts'
import { openInbox, type Inbox } from './inbox.ts'
import { createProviderClient, type ProviderClient, type Target } from './provider-client.ts'
import { TESTED_PORTS, type TestedPort } from './sample-orders.ts'
import { orderOf, sendOrder, isSuccess } from './trial.ts'
import { CaseFailure, CaseSkip } from './verdict.ts'

export type CaseOutcome = Readonly<{
  id: string
  title: string
  outcome: 'pass' | 'fail' | 'skip'
  expected?: string
  seen?: string
  reason?: string
}>

type Asked = Target &
  Readonly<{
    /** Undefined: those that the provider does not refuse. */
    ports?: readonly TestedPort[] | undefined
    cases: readonly ConformanceCase[]
  }>

export async function runCases({ ports, cases, ...target }: Asked): Promise<CaseOutcome[]> {
  const client = createProviderClient(target)
  const inbox = await openInbox(target.secrets)
  try {
    const offered = ports ?? (await offeredPorts(client, inbox))
    return await inLanes(cases, (one) => runCase(one, { client, inbox, offered }))
  } finally {
    await inbox.close()
  }
}

/** Cases that run at the same time: most of their time is waiting, and a provider may be a small program. */
const LANES = 8

async function inLanes(
  cases: readonly ConformanceCase[],
  run: (one: ConformanceCase) => Promise<CaseOutcome>,
): Promise<CaseOutcome[]> {
  const outcomes: CaseOutcome[] = []
  const waiting = [...cases.entries()]
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, one] = next
      outcomes[index] = await run(one)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return outcomes
}

type Setting = Readonly<{ client: ProviderClient; inbox: Inbox; offered: readonly TestedPort[] }>

async function runCase(
  { id, title, ports, play }: ConformanceCase,
  { client, inbox, offered }: Setting,
): Promise<CaseOutcome> {
  const port = ports.find((one) => offered.includes(one))
  if (port === undefined) {
    return { id, title, outcome: 'skip', reason: `${ports.join(', ')} not implemented` }
  }
  try {
    await play({ port, client, box: inbox.openBox() })
    return { id, title, outcome: 'pass' }
  } catch (error) {
    if (error instanceof CaseSkip) return { id, title, outcome: 'skip', reason: error.message }
    if (!(error instanceof CaseFailure)) throw error
    return { id, title, outcome: 'fail', expected: error.expected, seen: error.seen }
  }
}

async function offeredPorts(client: ProviderClient, inbox: Inbox): Promise<TestedPort[]> {
  const box = inbox.openBox()
  const isOffered = async (port: TestedPort): Promise<boolean> => {
    if (port === 'prices' && isSuccess(await client.prices())) return true
    const reply = await sendOrder({ port, client, box }, orderOf({ port, client, box }))
    if (reply === undefined) return true
    const { state, reason } = (reply.json ?? {}) as Readonly<{ state?: unknown; reason?: unknown }>
    const isRefused = state === 'REFUSED' && NOT_OFFERED.includes(String(reason))
    return !isRefused && !NOT_SERVED.includes(reply.status)
  }
  const found = await Promise.all(TESTED_PORTS.map(isOffered))
  return TESTED_PORTS.filter((_, index) => found[index])
}

/** How a provider says that it has no such port: in its answer, or by the status of an address it does not have. */
const NOT_OFFERED = ['UNSUPPORTED', 'INVALID_ORDER', 'TEST_NOT_SUPPORTED']
const NOT_SERVED = [400, 404, 405, 422, 501]

/** The cases with these ids, or all of them. Undefined: an id is unknown. */
export function casesOf(ids: readonly string[]): readonly ConformanceCase[] | undefined {
  if (ids.length === 0) return CASES
  const wanted = new Set(ids.map((id) => id.toUpperCase()))
  const found = CASES.filter(({ id }) => wanted.has(id))
  return found.length === wanted.size ? found : undefined
}
