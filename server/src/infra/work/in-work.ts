import { platformTime } from '../../kernel/platform.ts'
import type { Tx } from '../db/tx.ts'
import type { Deps } from '../deps.ts'
import { flushOutbox, newOutbox, wakeFor, type Outbox } from './outbox.ts'
import type { Work, WorkFor } from './work.ts'

export type WorkParts = Readonly<{ tx: Tx; outbox: Outbox; effects: (() => void)[] }>

export function workOn(deps: Deps, options: WorkFor, { tx, outbox, effects }: WorkParts): Work {
  return {
    tx,
    actor: options.actor,
    platform: options.platform,
    now: options.now ?? platformTime(options.platform, deps.clock.now()),
    requestId: options.requestId,
    clientRequestId: options.clientRequestId,
    log: deps.log,
    settings: deps.settings,
    ports: deps.providers.portsOf(options.platform),
    keyring: deps.keyring,
    outbox,
    async react(event, details) {
      const known = deps.reactions()
      // Loaded reactions are not awaited, because statements of one turn of the event loop are sent together.
      const reactions = known instanceof Promise ? await known : known
      for (const reaction of reactions[event]) await reaction(this, details)
    },
    afterCommit: (effect) => void effects.push(effect),
    wakeWebhooks() {
      this.afterCommit(() => deps.wake('events'))
    },
  }
}

/** Opens a transaction, hands it to `body` as a Work, commits, then runs the effects for after the commit. */
export async function inWork<T>(
  deps: Deps,
  options: WorkFor,
  body: (work: Work) => Promise<T>,
): Promise<T> {
  deps.began?.(options.platform)
  let effects: (() => void)[] = []
  const result = await deps.db.transaction(async (tx) => {
    effects = []
    const outbox = newOutbox()
    const answer = await body(workOn(deps, options, { tx, outbox, effects }))
    flushOutbox(tx, outbox)
    deps.tracer?.carry(tx, outbox)
    effects.push(() => wakeFor(deps, outbox))
    return answer
  })
  for (const effect of effects) deps.db.afterCommit(effect)
  return result
}
