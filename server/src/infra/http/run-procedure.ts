import { platformTime, type Platform } from '../../kernel/platform.ts'
import type { Deps } from '../deps.ts'
import { forgetReply, type KeyedRequest } from '../work/idempotency.ts'
import { inWork } from '../work/in-work.ts'
import type { Advanced, Move } from '../jobs/advance-clock.ts'
import { findPlatform } from '../platforms.ts'
import type { Work, WorkFor } from '../work/work.ts'
import { whileHoldingConnection } from './edge/held-connections.ts'
import type { ProcedureOperation, Request } from './operation.ts'
import type { Reply } from './reply.ts'
import { claim, keep, storableReply } from './stored-reply.ts'

export type ProcedureOptions = Readonly<{
  deps: Deps
  /** Moves a sandbox platform's clock. */
  advanceClock: (platform: Platform, move: Move) => Promise<Advanced>
}>

type Run = Readonly<{ caller: WorkFor; request: Request; keyed: KeyedRequest | undefined }>

/**
 * The steps of a procedure are separate transactions, so its key cannot be claimed and answered in one: a further
 * transaction claims the key and stays open while the procedure runs. If that transaction is retried, the procedure is
 * not, because its steps have happened.
 */
export async function runProcedure(
  operation: ProcedureOperation,
  options: ProcedureOptions,
  it: Run,
): Promise<Reply> {
  const { deps } = options
  const { caller, keyed } = it
  if (!keyed) return perform(operation, options, it, () => undefined)
  let done: Promise<Done> | undefined
  return whileHoldingConnection(deps, () =>
    inWork(deps, caller, async (work) => {
      const stored = await claim(work, keyed)
      if (stored) return stored
      done ??= performKeyed(operation, options, { ...it, keyed })
      const { reply, isKept } = await done
      if (!isKept) keep(operation, work, { keyed, reply, now: await timeAfter(work, deps) })
      return reply
    }),
  )
}

type Done = Readonly<{ reply: Reply; isKept: boolean }>

/**
 * A procedure that keeps its answer in the transaction of its effect has both or neither if the process dies. Other
 * answers, and refusals, are kept at the end.
 */
async function performKeyed(
  operation: ProcedureOperation,
  options: ProcedureOptions,
  it: Run & Readonly<{ keyed: KeyedRequest }>,
): Promise<Done> {
  const { keyed } = it
  let isKept = false
  const keepEarly = (inner: Work, reply: Reply): void => {
    keep(operation, inner, { keyed, reply })
    isKept = true
  }
  try {
    const reply = await perform(operation, options, it, keepEarly)
    return { reply, isKept }
  } catch (error) {
    if (isKept) await options.deps.db.read.run(forgetReply(keyed))
    return { reply: storableReply(error), isKept: false }
  }
}

async function perform(
  operation: ProcedureOperation,
  { deps, advanceClock }: ProcedureOptions,
  { caller, request, keyed }: Run,
  keepEarly: (work: Work, reply: Reply) => void,
): Promise<Reply> {
  const { platform } = caller
  const context = {
    ...request,
    deps,
    platform,
    inWork: <T>(body: (work: Work) => Promise<T>) => inWork(deps, caller, body),
    keep: keepEarly,
    advanceClock: (byMs: number) => advanceClock(platform, { byMs, keyed }),
  }
  return operation.handler(context)
}

/** The time after the procedure, which may have moved the clock: the lifetime of its answer begins there. */
async function timeAfter(work: Work, { clock }: Deps): Promise<Date> {
  const platform = (await findPlatform(work.tx, work.platform.id)) ?? work.platform
  return platformTime(platform, clock.now())
}
