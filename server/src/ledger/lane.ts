import { ApiError, failRetryLater, retryAfter } from '../kernel/errors.ts'
import { invariant } from '../kernel/invariant.ts'
import { audit } from '../infra/work/audit.ts'
import type { Tx } from '../infra/db/tx.ts'
import { isUnavailable } from '../infra/db/connection/unavailable.ts'
import type { Deps } from '../infra/deps.ts'
import type { KeyedRequest } from '../infra/work/idempotency.ts'
import type { Reply } from '../infra/http/reply.ts'
import type { Metrics } from '../infra/logging/metrics.ts'
import type { Span, Tracer } from '../infra/logging/tracing/tracer.ts'
import type { LaneCaller, LaneCommand, Submitter } from '../infra/work/lane-command.ts'
import { flushOutbox, mergeOutbox, newOutbox, wakeFor, type Outbox } from '../infra/work/outbox.ts'
import { createBalanceMemory, type BalanceMemory } from './balances/balance-memory.ts'
import { isStaleBalance, type BalanceKey } from './balances/balance-rows.ts'
import { newBatchState, type Batch, type BatchState } from './batch.ts'
import { openBook, type Book } from './book.ts'
import { traceBatch } from './trace-batch.ts'
import { claimKeys, storeOutcomes } from './lane-keys.ts'
import { prepareBalanceEvents } from './prepare-balance-events.ts'

export type Decided<Row, Body = unknown> = Readonly<{
  reply: Reply<number, Body>
  /** What `save` writes for this command. */
  row: Row
}>

/**
 * A kind of command that moves money. `load` and `save` are set-based, over all commands of the kind in a batch;
 * `decide` is pure, sees the balances as the commands before it left them, and refuses by `fail`.
 */
export type LaneKind<Input, Loaded, Row, Body = unknown> = Readonly<{
  name: string
  /** Reads the rows that the commands need, and locks them in the order of ids; one element per input, in order. */
  load(tx: Tx, inputs: readonly (LaneCaller & { input: Input })[]): Promise<readonly Loaded[]>
  /** The balances the command may touch. */
  keys(caller: LaneCaller, input: Input, loaded: Loaded): readonly BalanceKey[]
  decide(
    caller: LaneCaller & Readonly<{ outbox: Outbox }>,
    input: Input,
    loaded: Loaded,
    batch: Batch,
  ): Decided<Row, Body>
  /** Queues the rows of the accepted commands for the commit. */
  save(tx: Tx, rows: readonly Row[]): void
  /**
   * Whether `save` writes only new rows of its own and rows that `load` has locked. They are written while the batch
   * before still holds the balances.
   */
  savesBeforeLock?: boolean
  /** Whether an Idempotency-Key keeps this answer; without it, every answer. */
  keeps?(reply: Reply): boolean
  /** Queues the writes of the state that kinds share in a batch; called once, also where several kinds have it. */
  saveTogether?(tx: Tx, state: BatchState): void
}>

type AnyKind = LaneKind<unknown, unknown, unknown>

/** A command whose turn has not begun in time is refused; once begun, it is always decided and answered. */
type Turn = { hasBegun: boolean; isMissed: boolean }

type Command = LaneCaller &
  Readonly<{
    kind: AnyKind
    input: unknown
    keyed: KeyedRequest | undefined
    turn: Turn
    /** The span of the request that submitted it, while tracing is on. */
    span: Span | undefined
    resolve: (reply: Reply) => void
    reject: (error: unknown) => void
  }>

export type Lane = Readonly<{
  /** Fails: SERVICE_UNAVAILABLE, without any effect, where the decision has not begun within `withinMs`. */
  submit(
    command: LaneCommand,
    submitter: Submitter,
    options?: Readonly<{ keyed?: KeyedRequest | undefined; withinMs?: number }>,
  ): Promise<Reply>
  /** Resolves when nothing waits and nothing is in flight. */
  idle(): Promise<void>
}>

export type LaneOptions = Readonly<{
  deps: Deps
  metrics?: Metrics
  /** The most commands that wait; further ones are refused with `Retry-After`. */
  queueMax?: number
}>

type LaneInternals = LaneOptions & Readonly<{ memory: BalanceMemory }>

const BATCH_MAX = 256
const QUEUE_MAX = 10_000
const IN_FLIGHT_MAX = 2
/** The least size of a batch while more commands wait. */
const SHARE_MIN = 32

/**
 * The group-commit lane. Commands that arrive while a batch commits wait for the next one, which takes them all: one
 * commit, one lock of a hot account, many payments. There is no timer, so an idle lane adds no wait. Each command
 * has its own outcome, and a refused one leaves its neighbours alone. Answers leave after the commit.
 */
export function createLane(options: LaneOptions): Lane {
  const { queueMax = QUEUE_MAX } = options
  const lane: LaneInternals = { ...options, memory: createBalanceMemory() }
  const queue: Command[] = []
  let batchesInFlight = 0
  let commandsInFlight = 0
  let isScheduled = false
  let idleWaiters: (() => void)[] = []

  /** A second batch starts only with as many commands as the first has: many small batches cost more than a few. */
  const mayStartBatch = (): boolean =>
    queue.length > 0 && batchesInFlight < IN_FLIGHT_MAX && queue.length >= commandsInFlight
  const scheduleBatch = (): void => {
    if (isScheduled || !mayStartBatch()) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      const batch = queue.splice(0, shareOf(queue.length + commandsInFlight))
      let counted = batch.length
      batchesInFlight += 1
      commandsInFlight += counted
      const uncount = (): void => {
        commandsInFlight -= counted
        counted = 0
        scheduleBatch()
      }
      void traceBatch(options.deps.tracer, batch, () => runBatch(lane, batch, uncount)).finally(
        () => {
          batchesInFlight -= 1
          if (isIdle()) idleWaiters.splice(0).forEach((done) => done())
          uncount()
        },
      )
      scheduleBatch()
    })
  }
  const isIdle = (): boolean => batchesInFlight === 0 && queue.length === 0

  return {
    async submit({ kind, input }, submitter, { keyed, withinMs } = {}) {
      if (queue.length >= queueMax) failRetryLater('SERVICE_UNAVAILABLE', 1)
      const caller = callerOf(options.deps, submitter)
      const turn: Turn = { hasBegun: false, isMissed: false }
      const span = options.deps.tracer?.current()
      let timer: NodeJS.Timeout | undefined
      const answered = new Promise<Reply>((resolve, reject) => {
        if (withinMs !== undefined) timer = setTimeout(() => missTurn(turn, reject), withinMs)
        queue.push({ ...caller, kind: kind as AnyKind, input, keyed, turn, span, resolve, reject })
        scheduleBatch()
      })
      return answered.finally(() => clearTimeout(timer))
    },
    idle: async () => {
      if (isIdle()) return
      await new Promise<void>((done) => (idleWaiters = [...idleWaiters, done]))
    },
  }
}

/**
 * The size of a batch: an equal share of the commands. If one batch took all that wait, the next would be small, and
 * every command would wait for a large batch.
 */
function shareOf(count: number): number {
  const share = (count + (count % IN_FLIGHT_MAX)) / IN_FLIGHT_MAX
  if (share < SHARE_MIN) return SHARE_MIN
  return share < BATCH_MAX ? share : BATCH_MAX
}

const callerOf = ({ providers, settings, keyring }: Deps, submitter: Submitter): LaneCaller => ({
  ...submitter,
  ...{ ports: providers.portsOf(submitter.platform), settings, keyring },
})

const tooLate = (): ApiError => new ApiError('SERVICE_UNAVAILABLE', { headers: retryAfter(1) })

function missTurn(turn: Turn, reject: (error: ApiError) => void): void {
  if (turn.hasBegun) return
  turn.isMissed = true
  reject(tooLate())
}

type Outcome = Readonly<{ reply: Reply } | { error: ApiError }>

/**
 * Commits a batch. If it fails as a whole, its commands are run one by one, so that one cannot fail the others. That may
 * take long, so `onReplay` is called first and lets the next batch start.
 */
async function runBatch(
  lane: LaneInternals,
  batch: readonly Command[],
  onReplay: () => void,
): Promise<void> {
  try {
    const outcomes = await commitBatch(lane, batch)
    batch.forEach((command, index) => settle(command, outcomes[index] as Outcome))
  } catch (error) {
    if (batch.length === 1 || isUnavailable(error)) {
      batch.forEach((command) => command.reject(error))
      return
    }
    onReplay()
    for (const command of batch) await runBatch(lane, [command], onReplay)
  }
}

function settle(command: Command, outcome: Outcome): void {
  if ('reply' in outcome) command.resolve(outcome.reply)
  else command.reject(outcome.error)
}

type KindRow = Readonly<{ kind: AnyKind; row: unknown }>
type Group = Readonly<{ kind: AnyKind; indexes: number[] }>

function groupsOf(batch: readonly Command[]): Group[] {
  const groups = new Map<AnyKind, number[]>()
  batch.forEach(({ kind }, index) => {
    const indexes = groups.get(kind) ?? []
    indexes.push(index)
    groups.set(kind, indexes)
  })
  // In one order everywhere, so that two batches never deadlock.
  const sorted = [...groups].toSorted(([a], [b]) => (a.name < b.name ? -1 : 1))
  return sorted.map(([kind, indexes]) => ({ kind, indexes }))
}

/** With a stale balance of the memory nothing is written, and the batch is decided again on balances locked first. */
async function commitBatch(lane: LaneInternals, batch: readonly Command[]): Promise<Outcome[]> {
  try {
    return await decideAndCommit(lane, batch)
  } catch (error) {
    if (!isStaleBalance(error)) throw error
    lane.memory.invalidate()
    return decideAndCommit(lane, batch, { locksFirst: true })
  }
}

async function decideAndCommit(
  { deps, metrics, memory }: LaneInternals,
  batch: readonly Command[],
  { locksFirst } = { locksFirst: false },
): Promise<Outcome[]> {
  let outbox = newOutbox()
  let book: Book | undefined
  try {
    const outcomes = await deps.db.transaction(async (tx) => {
      book?.release('failed')
      outbox = newOutbox()
      const groups = groupsOf(batch)
      // In one round trip, although the rows of commands whose keys are decided already are not used.
      const [claimed, loaded] = await Promise.all([
        claimKeys(tx, batch, deps.keyring),
        loadAll(tx, batch, groups),
      ])
      const decided = new Map<number, Outcome>(claimed.decided)
      for (const index of decided.keys()) loaded.delete(index)
      const keys = keysOf(batch, loaded)
      // Reads the accounts in the round trip of their balances.
      const emitBalances = prepareBalanceEvents(deps, tx, { batch, keys, outbox })
      book = await openBook(tx, keys, { memory, locksFirst })
      const state = newBatchState()
      const { tracer } = deps
      const rows = decideAll({ batch, loaded, book, state, outbox, decided, tracer })
      book.publishPending()
      saveRows(tx, rows, groups.filter(isBeforeLock))
      storeOutcomes(tx, batch, { decided, replacing: claimed.replacing })
      await book.lockRemembered()
      queueWrites(tx, { groups, rows, book, state })
      await emitBalances(book)
      flushOutbox(tx, outbox)
      tracer?.carry(tx, outbox)
      return batch.map((_, index) => decided.get(index) as Outcome)
    })
    book?.release('committed')
    metrics?.ledgerPostings.inc(book?.postingCount())
    metrics?.ledgerBatchSize.observe(batch.length)
    wakeFor(deps, outbox)
    return outcomes
  } catch (error) {
    book?.release('failed')
    throw error
  }
}

type Saving = Batch & Readonly<{ groups: readonly Group[]; rows: readonly KindRow[] }>

const isBeforeLock = ({ kind }: Group): boolean => kind.savesBeforeLock === true

function saveRows(tx: Tx, rows: readonly KindRow[], groups: readonly Group[]): void {
  for (const { kind } of groups) {
    const accepted = rows.filter((row) => row.kind === kind).map(({ row }) => row)
    if (accepted.length > 0) kind.save(tx, accepted)
  }
}

/** Queues the postings first: positions of entries and events grow in the order in which balances are locked. */
function queueWrites(tx: Tx, { groups, rows, book, state }: Saving): void {
  const written = book.toWrite()
  if (written) tx.queueWrite(written)
  saveRows(
    tx,
    rows,
    groups.filter((group) => !isBeforeLock(group)),
  )
  new Set(groups.map(({ kind }) => kind.saveTogether)).forEach((together) => together?.(tx, state))
}

async function loadAll(
  tx: Tx,
  batch: readonly Command[],
  groups: readonly Group[],
): Promise<Map<number, unknown>> {
  const loaded = new Map<number, unknown>()
  await Promise.all(
    groups.map(async ({ kind, indexes }) => {
      const found = await kind.load(
        tx,
        indexes.map((index) => batch[index] as Command),
      )
      indexes.forEach((index, n) => loaded.set(index, found[n]))
    }),
  )
  return loaded
}

function keysOf(batch: readonly Command[], loaded: ReadonlyMap<number, unknown>): BalanceKey[] {
  return [...loaded].flatMap(([index, found]) => {
    const command = batch[index] as Command
    return command.kind.keys(command, command.input, found)
  })
}

type Deciding = Batch &
  Readonly<{
    batch: readonly Command[]
    loaded: ReadonlyMap<number, unknown>
    outbox: Outbox
    decided: Map<number, Outcome>
    tracer: Tracer | undefined
  }>

/** Decides commands in the order of arrival, each on the balances that the ones before it left. */
function decideAll({ batch, loaded, book, state, outbox, decided, tracer }: Deciding): KindRow[] {
  const rows: KindRow[] = []
  batch.forEach((command, index) => {
    if (decided.has(index)) return
    if (command.turn.isMissed) return void decided.set(index, { error: tooLate() })
    command.turn.hasBegun = true
    const { kind, input } = command
    const own = newOutbox()
    const postingsBefore = book.postingCount()
    try {
      const { reply, row } = kind.decide({ ...command, outbox: own }, input, loaded.get(index), {
        book,
        state,
      })
      if (reply.status < 400 && reply.isChange !== false)
        auditReply({ ...command, outbox: own }, reply)
      if (command.span) tracer?.bind(own, command.span)
      mergeOutbox({ from: own, into: outbox })
      rows.push({ kind, row })
      decided.set(index, { reply })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      invariant(
        book.postingCount() === postingsBefore,
        `a ${kind.name} that is refused has posted nothing`,
      )
      decided.set(index, { error })
    }
  })
  return rows
}

/** Only an accepted command is audited, not a refusal that has written something. */
function auditReply(command: Command & Readonly<{ outbox: Outbox }>, { body }: Reply): void {
  const id = (body as { id?: unknown } | undefined)?.id
  const resource = typeof id === 'string' ? id : undefined
  audit(command, { action: command.action, resource })
}
